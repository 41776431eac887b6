// TensorBoard around the Profile tab: its address, and its reload button. Everything here is of the same origin.

import type { Tool } from './messages';
import { type Selection, toolIn } from './selection';
import { recall, remember } from './session';

const TAB = '#profile';
const TRAIL_KEY = 'memviewer:trail';

type ReloadableFrame = HTMLIFrameElement & { reload?: () => void };

/**
 * Bring TensorBoard's reload button to XProf.
 *
 * XProf hangs its hook on the first frame of the page, whosever that is. It goes on XProf's own, and the first is
 * kept as it is until XProf's page is parsed.
 */
export function keepReload(window: Window): void {
  const own = window.frameElement as ReloadableFrame | null;
  if (own === null) return;
  const first = window.parent.document.querySelector<ReloadableFrame>('iframe');
  if (first !== null && first !== own) {
    const before = Object.getOwnPropertyDescriptor(first, 'reload');
    Object.defineProperty(first, 'reload', { value: first.reload, writable: false, configurable: true });
    window.document.addEventListener('DOMContentLoaded', () => {
      Reflect.deleteProperty(first, 'reload');
      if (before !== undefined) Object.defineProperty(first, 'reload', before);
    });
  }
  own.reload = () => requestReload(window.document);
}

/** Make XProf fetch its runs and build its page anew, as TensorBoard's reload button does. */
export function requestReload(document: Document): void {
  document.dispatchEvent(new Event('tensorboard-reload'));
}

/** Whether the Profile tab is the one shown. */
export function isShown(window: Window): boolean {
  const frame = window.frameElement;
  return frame === null || frame.getBoundingClientRect().height > 0;
}

/** Whether TensorBoard is in its dark mode. */
export function isDark(window: Window): boolean {
  return window.parent.document.body.classList.contains('dark-mode');
}

/**
 * Keep the Profile tab, TensorBoard's own path and the module in TensorBoard's address, so that a reload comes back here.
 *
 * XProf writes the address without the tab, in some versions without the path prefix, and in some with the module under a
 * name that it does not read.
 */
export function keepAddress(window: Window, path: string): void {
  const { parent } = window;
  const { pathname, search, hash } = parent.location;
  const kept = withModule(search);
  if (hash === TAB ? pathname === path && kept === search : hash !== '') return;
  if (parent === window || !isShown(window) || !new URLSearchParams(search).has('run')) return;
  parent.history.replaceState(parent.history.state, '', `${path}${kept}${TAB}`);
}

function withModule(search: string): string {
  const parameters = new URLSearchParams(search);
  const module = parameters.get('moduleName');
  if (module === null || parameters.get('module_name') === module) return search;
  parameters.set('module_name', module);
  return `?${parameters}`;
}

/** TensorBoard's address for a tool of the Profile tab, in the spelling that every version takes. */
export function toolAddress(
  path: string,
  tool: Tool | 'memory_viewer',
  selection: Selection,
  instruction: string,
): string {
  const parameters = new URLSearchParams({ tool });
  if (selection.run !== null) parameters.set('run', selection.run);
  if (selection.host !== null) parameters.set('host', selection.host);
  if (selection.module !== null) parameters.set('module_name', selection.module);
  if (instruction !== '') parameters.set('node_name', instruction);
  return `${path}?${parameters}${TAB}`;
}

/**
 * Open `there`, an address of TensorBoard, in the Profile tab; the browser's back button returns to `here`.
 *
 * XProf reads TensorBoard's address when its page starts, so its page is loaded anew.
 */
export function openInProfileTab(window: Window, here: string, there: string): void {
  const { parent, history } = window;
  remember(window, TRAIL_KEY, '1');
  history.replaceState(history.state, '', servedAddress(window));
  parent.history.replaceState(parent.history.state, '', here);
  parent.history.pushState(null, '', there);
  loadAnew(window);
}

/**
 * Follow the browser's back and forward buttons to and from addresses opened by us.
 *
 * XProf follows the addresses of its own frame only, which these are not.
 */
export function followTrail(window: Window): void {
  const { parent } = window;
  const follow = (): void => {
    if (recall(window, TRAIL_KEY) === null) return;
    const wanted = toolIn(parent.location.search);
    if (parent.location.hash === TAB && wanted !== null && wanted !== toolIn(window.location.search)) loadAnew(window);
  };
  parent.addEventListener('popstate', follow);
  window.addEventListener('pagehide', () => parent.removeEventListener('popstate', follow));
}

/**
 * Keep XProf's own steps out of the way back from what we opened.
 *
 * Before 2.23 its page, while it starts, adds the tool that it was opened with to the history, as a step of its own and as
 * one of TensorBoard's. Back from those leads nowhere, and they end the way forward.
 */
export function startWithoutSteps(window: Window): void {
  if (recall(window, TRAIL_KEY) === null) return;
  const starting = (): boolean => toolIn(window.location.search) === null;
  takeForReplaced(window.history, starting);
  const { parent } = window;
  const isRestated = (address: string | URL): boolean => {
    const { search, hash } = new URL(address, parent.location.href);
    return starting() && ['', TAB].includes(hash) && toolIn(search) === toolIn(parent.location.search);
  };
  const undo = takeForReplaced(parent.history, isRestated);
  window.addEventListener('pagehide', undo);
}

/** Have `history` replace its entry instead of adding one for addresses that `isReplaced` says so of; returns the way back. */
function takeForReplaced(history: History, isReplaced: (address: string | URL) => boolean): () => void {
  const { pushState } = history;
  const own = Object.getOwnPropertyDescriptor(history, 'pushState');
  history.pushState = (state: unknown, unused: string, address?: string | URL | null): void => {
    if (isReplaced(address ?? '')) history.replaceState(state, unused, address);
    else pushState.call(history, state, unused, address);
  };
  return () => {
    Reflect.deleteProperty(history, 'pushState');
    if (own !== undefined) Object.defineProperty(history, 'pushState', own);
  };
}

// Leaves nothing of the page before to go back to.
function loadAnew(window: Window): void {
  window.location.replace(servedAddress(window));
}

// The addresses that XProf gives its frame are not served; this one is.
function servedAddress(window: Window): string {
  return new URL('index.html', window.document.baseURI).href;
}
