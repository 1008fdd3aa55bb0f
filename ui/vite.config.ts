// How the window is built: one page, no inline script or style (the content policy forbids both), no data: fonts.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

export default defineConfig(({ mode }) => ({
  plugins: [svelte()],
  clearScreen: false,
  server: { port: 1420, strictPort: true, host: '127.0.0.1' },
  // Under vitest the browser's half of Svelte must be taken, not the server's.
  resolve: mode === 'test' ? { conditions: ['browser'] } : {},
  build: {
    target: ['chrome105', 'safari15.4'],
    outDir: 'dist',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The locale files, the icons that are used and the code together stay far below this.
    chunkSizeWarningLimit: 600,
  },
  test: {
    environment: 'happy-dom',
    include: ['src/**/*.test.ts'],
    setupFiles: ['src/testing/setup.ts'],
    restoreMocks: true,
    // The tokens are read as text, for their contrast.
    css: { include: [/tokens\.css/u] },
  },
}));
