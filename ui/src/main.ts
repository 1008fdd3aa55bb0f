// Where the window starts: the program behind it, the styles, the one component.
import { mount } from 'svelte';

import './tokens.css';
import './fonts.css';
import './base.css';
import App from './App.svelte';
import { tauri } from './lib/api';
import { i18n } from './lib/i18n.svelte';
import { applyTheme } from './lib/theme';

// Before the program answers, the system's theme and language are the best guess; so nothing flashes.
applyTheme('system');
i18n.use(navigator.language.startsWith('zh') ? 'zh-CN' : 'en');

const target = document.getElementById('app');
if (!target) throw new Error('index.html holds #app');
mount(App, { target, props: { api: tauri } });
