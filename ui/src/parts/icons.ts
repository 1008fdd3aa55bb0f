// The icons that the window uses, by name: lucide, ISC licence. Only these are in the program.
import ArrowLeft from '@lucide/svelte/icons/arrow-left';
import Check from '@lucide/svelte/icons/check';
import ChevronDown from '@lucide/svelte/icons/chevron-down';
import ChevronRight from '@lucide/svelte/icons/chevron-right';
import CircleCheck from '@lucide/svelte/icons/circle-check';
import CircleDashed from '@lucide/svelte/icons/circle-dashed';
import CircleQuestionMark from '@lucide/svelte/icons/circle-question-mark';
import CircleSlash from '@lucide/svelte/icons/circle-slash';
import ClipboardCheck from '@lucide/svelte/icons/clipboard-check';
import Clock from '@lucide/svelte/icons/clock';
import CloudLightning from '@lucide/svelte/icons/cloud-lightning';
import Copy from '@lucide/svelte/icons/copy';
import Download from '@lucide/svelte/icons/download';
import Ellipsis from '@lucide/svelte/icons/ellipsis';
import FilePenLine from '@lucide/svelte/icons/file-pen-line';
import FileText from '@lucide/svelte/icons/file-text';
import FileWarning from '@lucide/svelte/icons/file-warning';
import FlaskConical from '@lucide/svelte/icons/flask-conical';
import Folder from '@lucide/svelte/icons/folder';
import HardDrive from '@lucide/svelte/icons/hard-drive';
import Hourglass from '@lucide/svelte/icons/hourglass';
import Inbox from '@lucide/svelte/icons/inbox';
import KeyRound from '@lucide/svelte/icons/key-round';
import LogIn from '@lucide/svelte/icons/log-in';
import PackageOpen from '@lucide/svelte/icons/package-open';
import Pause from '@lucide/svelte/icons/pause';
import Play from '@lucide/svelte/icons/play';
import Plus from '@lucide/svelte/icons/plus';
import Repeat2 from '@lucide/svelte/icons/repeat-2';
import Rows3 from '@lucide/svelte/icons/rows-3';
import ScanSearch from '@lucide/svelte/icons/scan-search';
import Search from '@lucide/svelte/icons/search';
import Send from '@lucide/svelte/icons/send';
import Server from '@lucide/svelte/icons/server';
import ServerCrash from '@lucide/svelte/icons/server-crash';
import Settings from '@lucide/svelte/icons/settings';
import ShieldCheck from '@lucide/svelte/icons/shield-check';
import ShieldX from '@lucide/svelte/icons/shield-x';
import TriangleAlert from '@lucide/svelte/icons/triangle-alert';
import Unplug from '@lucide/svelte/icons/unplug';
import X from '@lucide/svelte/icons/x';

export const ICONS = {
  'arrow-left': ArrowLeft,
  check: Check,
  'chevron-down': ChevronDown,
  'chevron-right': ChevronRight,
  'circle-check': CircleCheck,
  'circle-dashed': CircleDashed,
  'circle-question-mark': CircleQuestionMark,
  'circle-slash': CircleSlash,
  'clipboard-check': ClipboardCheck,
  clock: Clock,
  'cloud-lightning': CloudLightning,
  copy: Copy,
  download: Download,
  ellipsis: Ellipsis,
  'file-pen-line': FilePenLine,
  'file-text': FileText,
  'file-warning': FileWarning,
  'flask-conical': FlaskConical,
  folder: Folder,
  'hard-drive': HardDrive,
  hourglass: Hourglass,
  inbox: Inbox,
  'key-round': KeyRound,
  'log-in': LogIn,
  'package-open': PackageOpen,
  pause: Pause,
  play: Play,
  plus: Plus,
  'repeat-2': Repeat2,
  'rows-3': Rows3,
  'scan-search': ScanSearch,
  search: Search,
  send: Send,
  server: Server,
  'server-crash': ServerCrash,
  settings: Settings,
  'shield-check': ShieldCheck,
  'shield-x': ShieldX,
  'triangle-alert': TriangleAlert,
  unplug: Unplug,
  x: X,
};

export type IconId = keyof typeof ICONS;
