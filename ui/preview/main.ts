// The preview: `?story=confirming&lang=zh&theme=dark`. Time stands at the moment of the design's pictures, and ticks.
import { mount } from 'svelte';

import '../src/tokens.css';
import '../src/fonts.css';
import '../src/base.css';
import App from '../src/App.svelte';
import { NOW } from '../src/testing/samples';
import { story } from './stories';

const asked = new URLSearchParams(location.search);
const real = Date.now.bind(Date);
const begun = real();
Date.now = () => NOW + (asked.has('still') ? 0 : real() - begun);

const { api, after } = story(asked.get('story') ?? 'confirming');
api.start.language = asked.get('lang') === 'zh' ? 'zh-CN' : 'en';
api.start.theme = asked.get('theme') === 'dark' ? 'dark' : asked.get('theme') === 'system' ? 'system' : 'light';

const target = document.getElementById('app');
if (!target) throw new Error('index.html holds #app');
mount(App, { target, props: { api } });
void after();
