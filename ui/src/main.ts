// Where the window starts: the program behind it, the styles, the one component.
import { mount } from 'svelte';

import './tokens.css';
import './fonts.css';
import './base.css';
import App from './App.svelte';
import { tauri } from './lib/api';
import { applyTheme } from './lib/theme';

// Before the program answers, the system's theme is the best guess; so nothing flashes.
applyTheme('system');

const target = document.getElementById('app');
if (!target) throw new Error('index.html holds #app');
mount(App, { target, props: { api: tauri } });
