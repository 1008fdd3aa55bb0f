// Where the window starts.
import { mount } from 'svelte';

import './tokens.css';
import App from './App.svelte';

const target = document.getElementById('app');
if (!target) throw new Error('index.html holds #app');
mount(App, { target });
