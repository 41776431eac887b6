// @vitest-environment jsdom
// As a guest the page listens to the page around it alone, and passes on where a person wants to go.

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Guest, isGuest } from '../src/guest';

const host = { postMessage: vi.fn() };
const options = { select: vi.fn(), reload: vi.fn() };

beforeEach(() => {
  vi.stubGlobal('parent', host);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

function hear(data: unknown, from: { origin?: string; source?: unknown } = {}): void {
  const { origin = document.location.origin, source = host } = from;
  const event = new MessageEvent('message', { data, origin });
  Object.defineProperty(event, 'source', { value: source });
  window.dispatchEvent(event);
}

it('says that it is ready, and takes what the tab has chosen', () => {
  new Guest(options);
  expect(host.postMessage).toHaveBeenCalledExactlyOnceWith({ type: 'memviewer:ready' }, document.location.origin);
  hear({ type: 'memviewer:select', run: 'r', host: '', module: 7 });
  expect(options.select).toHaveBeenLastCalledWith({ run: 'r', host: null, module: null });
  hear({ type: 'memviewer:reload' });
  expect(options.reload).toHaveBeenCalled();
});

it('does not listen to other origins, other windows and other words', () => {
  new Guest(options);
  const before = [options.select.mock.calls.length, options.reload.mock.calls.length];
  hear({ type: 'memviewer:select', run: 'r' }, { origin: 'https://elsewhere.example' });
  hear({ type: 'memviewer:select', run: 'r' }, { source: window });
  for (const data of [null, 'memviewer:reload', { type: 'memviewer:navigate' }]) hear(data);
  expect([options.select.mock.calls.length, options.reload.mock.calls.length]).toEqual(before);
});

it('asks the tab for another tool', () => {
  new Guest(options).navigate('graph_viewer', 'fusion.1', 'jit_f', true);
  const message = { type: 'memviewer:navigate', tool: 'graph_viewer', instruction: 'fusion.1', module: 'jit_f' };
  expect(host.postMessage).toHaveBeenLastCalledWith({ ...message, newTab: true }, document.location.origin);
});

it('is a guest only where it is asked to be, within another page', () => {
  expect(isGuest()).toBe(false);
  history.replaceState(null, '', '?guest=1');
  expect(isGuest()).toBe(true);
  vi.stubGlobal('parent', window);
  expect(isGuest()).toBe(false);
});
