// Svelte's options: runes everywhere, TypeScript in components, and styles as files, since the content policy allows no other.
import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';

export default {
  preprocess: vitePreprocess(),
  compilerOptions: { runes: true, css: 'external' },
};
