// What can be done with the buffer of the card: copy it, copy a link, open it in another tool.

import { cardText } from '../../model/card';
import type { Dataset } from '../../model/dataset';
import type { ViewActions } from '../../state/actions';
import { copyText } from '../shared/copy';
import { el } from '../shared/dom';
import type { ViewContext } from '../shared/view';

const COPIED_MS = 1200;
const MIDDLE = 1;
const TOOLS = [
  ['graph_viewer', 'Graph Viewer'],
  ['trace_viewer', 'Trace Viewer'],
] as const;

export interface CardLinks {
  /** A link to what is shown now. */
  address(): string;
  /** Opens another tool of the Profile tab; null where the page is not its guest. */
  readonly navigate: ((tool: 'graph_viewer' | 'trace_viewer', instruction: string, newTab: boolean) => void) | null;
}

export class CardTools {
  readonly #dataset: Dataset;
  readonly #actions: ViewActions;
  readonly #links: CardLinks;
  /** What a button says for a moment instead of its label: the card may be drawn anew meanwhile. */
  readonly #said = new Map<string, string>();
  #buttons = new Map<string, HTMLElement>();

  constructor({ dataset, actions }: ViewContext, links: CardLinks) {
    this.#dataset = dataset;
    this.#actions = actions;
    this.#links = links;
  }

  /** The buttons for another buffer. */
  element(row: number): HTMLElement {
    this.#buttons = new Map();
    const dataset = this.#dataset;
    this.#button('Copy', 'Copy all details of this buffer as text', () => this.#copy('Copy', cardText(dataset, row)));
    this.#button('Copy link', 'Pin this buffer and copy a link to this view', () => {
      this.#actions.pin(row);
      void this.#copy('Copy link', this.#links.address());
    });
    const instruction = dataset.instructionName(dataset.instruction[row]!);
    if (instruction !== '') this.#addTools(instruction);
    return el('div', { class: 'card-actions' }, ...this.#buttons.values());
  }

  #addTools(instruction: string): void {
    const { navigate } = this.#links;
    if (navigate === null) return;
    for (const [tool, label] of TOOLS) {
      const link = this.#button(`${label} ›`, `Open ${instruction} in ${label}`, (event) =>
        navigate(tool, instruction, event.ctrlKey || event.metaKey),
      );
      link.addEventListener('auxclick', (event) => {
        if (event.button === MIDDLE) navigate(tool, instruction, true);
      });
    }
  }

  #button(label: string, title: string, act: (event: MouseEvent) => void): HTMLElement {
    const attributes = { type: 'button', class: 'quiet', title, 'data-label': label };
    const made = el('button', attributes, this.#said.get(label) ?? label);
    made.addEventListener('click', act);
    this.#buttons.set(label, made);
    return made;
  }

  async #copy(label: string, text: string): Promise<void> {
    if (!(await copyText(text))) return;
    this.#said.set(label, 'Copied');
    this.#showLabel(label);
    setTimeout(() => {
      this.#said.delete(label);
      this.#showLabel(label);
    }, COPIED_MS);
  }

  #showLabel(label: string): void {
    this.#buttons.get(label)?.replaceChildren(this.#said.get(label) ?? label);
  }
}
