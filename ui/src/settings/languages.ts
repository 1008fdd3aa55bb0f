// The languages that Docket speaks, each under its own name, with nothing to translate.
import type { Language } from '../lib/api';

export const LANGUAGES: { value: Language; label: string; lang: string }[] = [
  { value: 'en', label: 'English', lang: 'en' },
  { value: 'zh-CN', label: '简体中文', lang: 'zh-CN' },
];
