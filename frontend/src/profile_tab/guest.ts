// Decides whether our page is shown in the Profile tab, from what XProf shows, and sends it the selection.

import { Conversation } from './conversation';
import { type Area, clearOf, contentArea, sideBars, visibleArea } from './layout';
import type { NavigateMessage } from './messages';
import { Overlay } from './overlay';
import { combine, disagree, readAddress, readSideBar, type Selection } from './selection';
import { recall, remember } from './session';
import { isDark, isShown, keepAddress, openInProfileTab, requestReload, toolAddress } from './tensorboard';
import { searchTraceLater } from './trace_search';
import { Watch } from './watch';

const VIEWER = 'memory-viewer';
const OWN_VIEWER_KEY = 'memviewer:own-viewer';

/** How long the side bar may show hosts and modules of the run before. */
const SETTLE_MS = 3_000;
/** How long our page stays while XProf builds its own anew, after a reload of TensorBoard's data. */
const REBUILD_MS = 2_000;

export interface Surroundings {
  window: Window & typeof globalThis;
  pageAddress: string;
  /** TensorBoard's path as the script found it. */
  path: string;
  /** Whether the hidden viewer has been answered empty since last asked, and must fetch anew to be shown. */
  takeAnswered(): boolean;
  /** Makes a handler of it that does not throw into XProf, and leaves the tab to XProf instead. */
  guarded<A extends unknown[]>(handler: (...parameters: A) => void): (...parameters: A) => void;
}

export class Guest {
  readonly #around: Surroundings;
  readonly #window: Window & typeof globalThis;
  readonly #overlay: Overlay;
  readonly #talk: Conversation;
  readonly #watch: Watch;
  readonly #onReload: () => void;
  /** The user chose XProf's own viewer. */
  #own: boolean;
  /** Our page did not say that it is up. */
  #mute = false;
  #goneSince: number | null = null;
  #disagreeSince: number | null = null;

  constructor(around: Surroundings) {
    const { window, guarded } = around;
    this.#around = around;
    this.#window = window;
    this.#own = recall(window, OWN_VIEWER_KEY) !== null;
    this.#overlay = new Overlay(window.document, {
      onOwnViewer: guarded(() => this.#choose(true)),
      onOurPage: guarded(() => this.#choose(false)),
    });
    this.#talk = new Conversation(window, {
      page: () => this.#overlay.page,
      onReady: guarded(() => this.#update()),
      onMute: guarded(() => this.#standAside()),
      onNavigate: guarded((message) => this.#navigate(message)),
    });
    this.#watch = new Watch(
      window,
      guarded(() => this.#update()),
    );
    this.#onReload = guarded(() => this.#talk.say({ type: 'memviewer:reload' }));
    window.document.addEventListener('tensorboard-reload', this.#onReload);
  }

  start(): void {
    this.#update();
  }

  /** Whether XProf's viewer, were it there, would be hidden by ours. */
  get covers(): boolean {
    return !this.#own && !this.#mute;
  }

  /** Leave the tab to XProf, for good. */
  leave(): void {
    this.#own = true;
    this.#overlay.remove();
    this.#watch.stop();
    this.#talk.end();
    this.#window.document.removeEventListener('tensorboard-reload', this.#onReload);
    this.#fetchAnew();
  }

  #update(): void {
    const { document } = this.#window;
    keepAddress(this.#window, this.#around.path);
    this.#overlay.setDark(isDark(this.#window));
    const viewer = document.querySelector(VIEWER);
    if (viewer === null) {
      this.#onOtherTool();
      return;
    }
    this.#goneSince = null;
    const content = contentArea(viewer);
    const bars = sideBars(document);
    this.#watch.size([content, ...bars]);
    // In a tab that is not shown nothing has a size.
    if (!isShown(this.#window)) return;
    const area = this.#areaOf(content, bars);
    if (this.covers) this.#show(area);
    else this.#overlay.offer(area);
  }

  #show(area: Area): void {
    if (this.#overlay.show(area, this.#around.pageAddress)) this.#talk.begin();
    this.#talk.tell({ type: 'memviewer:visible', visible: true });
    const selection = this.#selection();
    this.#overlay.setModule(selection.module);
    this.#talk.tell({ type: 'memviewer:select', ...selection });
  }

  #onOtherTool(): void {
    this.#goneSince ??= Date.now();
    const rebuilding = this.#window.document.querySelector('mat-sidenav-content') === null;
    if (rebuilding && Date.now() - this.#goneSince < REBUILD_MS) {
      this.#watch.soon();
      return;
    }
    this.#overlay.hide();
    this.#talk.tell({ type: 'memviewer:visible', visible: false });
  }

  #areaOf(content: Element, bars: readonly Element[]): Area {
    const { clientWidth, clientHeight } = this.#window.document.documentElement;
    const area = (element: Element): Area => visibleArea(element, clientWidth, clientHeight);
    return clearOf(area(content), bars.map(area));
  }

  #selection(): Selection {
    const shown = readSideBar(this.#window.document);
    const written = readAddress(this.#window.location.href);
    if (!disagree(shown, written)) {
      this.#disagreeSince = null;
    } else {
      this.#disagreeSince ??= Date.now();
      if (Date.now() - this.#disagreeSince < SETTLE_MS) return { run: shown.run, host: null, module: null };
    }
    return combine(shown, written);
  }

  #choose(own: boolean): void {
    this.#own = own;
    remember(this.#window, OWN_VIEWER_KEY, own ? '1' : null);
    // Asked for again after it did not answer: a page that is up by now is shown, another is loaded anew.
    if (!own && this.#mute && !this.#talk.ready) this.#overlay.forgetPage();
    this.#mute &&= own;
    if (own) this.#fetchAnew();
    this.#update();
  }

  #standAside(): void {
    this.#mute = true;
    this.#fetchAnew();
    this.#update();
  }

  #fetchAnew(): void {
    if (this.#around.takeAnswered()) requestReload(this.#window.document);
  }

  #navigate({ tool, instruction, module, newTab }: NavigateMessage): void {
    const { path } = this.#around;
    const selection = this.#selection();
    const there = toolAddress(path, tool, { ...selection, module: module ?? selection.module }, instruction);
    if (newTab) {
      this.#window.open(there, '_blank', 'noopener');
      return;
    }
    if (tool === 'trace_viewer') searchTraceLater(this.#window, instruction);
    openInProfileTab(this.#window, toolAddress(path, 'memory_viewer', selection, ''), there);
  }
}
