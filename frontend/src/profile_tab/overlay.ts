// What the script adds to the Profile tab: the frame with our page and its line, and the button that brings it back.
// Every style is our own: XProf's do not reach in, ours do not reach out. The colors are those of our page's panels.

import type { Area } from './layout';

const STYLE = `
  :host { all: initial; }
  [hidden] { display: none !important; }
  .cover, .back { position: fixed; z-index: 10; font: 12px/1.4 Roboto, "Helvetica Neue", Arial, sans-serif; }
  .cover { display: flex; flex-direction: column; background: #fff; color: #444; }
  .line { flex: none; display: flex; justify-content: space-between; align-items: baseline; gap: 12px;
    padding: 2px 12px 2px 16px; }
  .line span { overflow: hidden; font-family: ui-monospace, Menlo, Consolas, monospace; text-overflow: ellipsis;
    white-space: nowrap; user-select: text; }
  .line button { flex: none; }
  iframe { flex: 1; width: 100%; min-height: 0; border: 0; color-scheme: normal; }
  button { font: inherit; color: #1f5fae; background: none; border: 0; padding: 2px 4px; cursor: pointer; }
  button:hover { text-decoration: underline; }
  button:focus-visible { outline: 2px solid currentColor; outline-offset: 1px; border-radius: 2px; }
  .back button { padding: 6px 14px; background: #fff; border: 1px solid #1f5fae; border-radius: 16px;
    box-shadow: 0 1px 4px rgb(0 0 0 / 25%); }
  .dark .cover { background: #292b2f; color: #ccc; }
  .dark button { color: #8ab8f0; }
  .dark .back button { background: #292b2f; border-color: #8ab8f0; }
`;

// XProf's viewer keeps its place and size, so that its charts fit when it is shown again.
const HIDE =
  'html.memviewer-guest memory-viewer, html.memviewer-guest memory-viewer * { visibility: hidden !important; }';
const HIDE_CLASS = 'memviewer-guest';

export interface OverlayActions {
  /** The user wants XProf's own viewer. */
  onOwnViewer(): void;
  /** The user wants our page back. */
  onOurPage(): void;
}

export class Overlay {
  readonly #document: Document;
  readonly #root: HTMLElement;
  readonly #cover: HTMLElement;
  readonly #back: HTMLElement;
  readonly #module: HTMLElement;
  readonly #hide: HTMLStyleElement;
  #frame: HTMLIFrameElement | null = null;

  constructor(document: Document, actions: OverlayActions) {
    this.#document = document;
    const host = document.createElement('memviewer-guest');
    const shadow = host.attachShadow({ mode: 'open' });
    this.#root = this.#element('div');
    this.#cover = this.#element('section', 'cover');
    this.#cover.setAttribute('aria-label', 'Memory Viewer');
    const line = this.#element('div', 'line');
    this.#module = this.#element('span');
    line.append(this.#module, this.#button('Show XProf’s own viewer', actions.onOwnViewer));
    this.#cover.append(line);
    this.#back = this.#element('div', 'back');
    this.#back.append(this.#button('Show the new Memory Viewer', actions.onOurPage));
    this.#cover.hidden = true;
    this.#back.hidden = true;
    this.#root.append(this.#cover, this.#back);
    shadow.append(this.#style(STYLE), this.#root);
    this.#hide = this.#style(HIDE);
    document.head.append(this.#hide);
    document.body.append(host);
  }

  /** The window of our page, null before it was first shown. */
  get page(): Window | null {
    return this.#frame?.contentWindow ?? null;
  }

  /** Lay our page over an area. Returns whether it had to be loaded, as the first time. */
  show(area: Area, pageAddress: string): boolean {
    const load = this.#frame === null;
    if (load) this.#makeFrame(pageAddress);
    place(this.#cover, area);
    this.#cover.style.height = `${area.bottom - area.top}px`;
    this.#cover.style.width = `${area.right - area.left}px`;
    this.#cover.hidden = false;
    this.#back.hidden = true;
    this.#document.documentElement.classList.add(HIDE_CLASS);
    return load;
  }

  /** The module's name in full: the side bar cuts it, and its end is what tells modules apart. */
  setModule(name: string | null): void {
    const text = name ?? '';
    if (this.#module.title === text) return;
    this.#module.textContent = text;
    this.#module.title = text;
  }

  /** Load our page anew when it is next shown. */
  forgetPage(): void {
    this.#frame?.remove();
    this.#frame = null;
  }

  /** Show XProf's viewer, with the button that brings our page back at the bottom right of the area. */
  offer(area: Area): void {
    this.hide();
    this.#back.style.right = `${this.#document.documentElement.clientWidth - area.right + 24}px`;
    this.#back.style.top = `${area.bottom - 56}px`;
    this.#back.hidden = false;
  }

  /** Leave the tab as XProf made it; our page stays loaded. */
  hide(): void {
    this.#cover.hidden = true;
    this.#back.hidden = true;
    this.#document.documentElement.classList.remove(HIDE_CLASS);
  }

  /** Take everything away for good. */
  remove(): void {
    this.hide();
    this.#hide.remove();
    (this.#root.getRootNode() as ShadowRoot).host.remove();
  }

  /** Follow TensorBoard's dark mode. */
  setDark(dark: boolean): void {
    this.#root.classList.toggle('dark', dark);
  }

  #makeFrame(address: string): void {
    this.#frame = this.#document.createElement('iframe');
    this.#frame.title = 'Memory Viewer';
    this.#frame.src = address;
    this.#cover.append(this.#frame);
  }

  #button(text: string, onClick: () => void): HTMLButtonElement {
    const button = this.#element('button') as HTMLButtonElement;
    button.type = 'button';
    button.textContent = text;
    button.addEventListener('click', onClick);
    return button;
  }

  #style(text: string): HTMLStyleElement {
    const style = this.#document.createElement('style');
    style.textContent = text;
    return style;
  }

  #element(name: string, className = ''): HTMLElement {
    const element = this.#document.createElement(name);
    element.className = className;
    return element;
  }
}

function place(element: HTMLElement, area: Area): void {
  element.style.left = `${area.left}px`;
  element.style.top = `${area.top}px`;
}
