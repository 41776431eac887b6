// The selection in the Profile tab, read from its side bar and its address. Changes neither.

export interface Selection {
  run: string | null;
  host: string | null;
  module: string | null;
}

type Field = keyof Selection;

// The labels that XProf's versions give the boxes of the side bar, each followed by a count in brackets.
const LABELS: readonly [Field, RegExp][] = [
  ['run', /^(sessions?|runs?)\b/i],
  ['host', /^hosts?\b/i],
  ['module', /^((hlo|xla)\s+)?modules?\b/i],
];

const PARAMETERS: Readonly<Record<Field, readonly string[]>> = {
  run: ['run', 'sessionId'],
  host: ['host'],
  module: ['moduleName', 'module_name'],
};

// "All hosts" is a choice in the host box, not a host.
const ALL_HOSTS = 'ALL_HOSTS';

/** The selection shown in the side bar, completed from the address. The side bar wins: the address may lag behind. */
export function combine(shown: Selection, written: Selection): Selection {
  const host = shown.host ?? written.host;
  return {
    run: shown.run ?? written.run,
    host: host === ALL_HOSTS ? null : host,
    module: shown.module ?? written.module,
  };
}

/**
 * Whether side bar and address name different runs.
 *
 * So they do while hosts and modules of a newly chosen run are fetched: the side bar still shows those of the run
 * before.
 */
export function disagree(shown: Selection, written: Selection): boolean {
  return shown.run !== null && written.run !== null && shown.run !== written.run;
}

/** What the boxes of the side bar show; null for a box that is not there or empty. */
export function readSideBar(document: Document): Selection {
  const selection: Selection = { run: null, host: null, module: null };
  for (const box of document.querySelectorAll('mat-select, select')) {
    // XProf's own viewer has boxes too.
    if (box.closest('memory-viewer') !== null) continue;
    const label = labelOf(box);
    const field = LABELS.find(([, pattern]) => pattern.test(label))?.[0];
    if (field !== undefined) selection[field] ??= valueShown(box);
  }
  return selection;
}

/** What an address of the Profile tab's frame names: `/tool;run=…;host=…?run=…&host=…`, in every spelling there is. */
export function readAddress(address: string): Selection {
  const url = new URL(address);
  const matrix = new URLSearchParams(matrixParameters(url.pathname));
  const read = (field: Field): string | null => {
    for (const parameters of [url.searchParams, matrix]) {
      for (const name of PARAMETERS[field]) {
        const value = parameters.get(name);
        if (value) return value;
      }
    }
    return null;
  };
  return { run: read('run'), host: read('host'), module: read('module') };
}

/** The tool that the query of an address names, in either spelling. */
export function toolIn(search: string): string | null {
  const parameters = new URLSearchParams(search);
  return (parameters.get('tool') ?? parameters.get('tag'))?.replace(/@$/, '') ?? null;
}

/** What a link to XProf's Memory Viewer names; null where an address leads elsewhere. */
export function readLink(address: string): Selection | null {
  if (toolIn(new URL(address).search) !== 'memory_viewer') return null;
  return combine({ run: null, host: null, module: null }, readAddress(address));
}

function matrixParameters(path: string): string {
  const pairs = path.split('/').flatMap((segment) => segment.split(';').slice(1));
  // In a path a plus is a plus; in a query it would be a space.
  return pairs.join('&').replaceAll('+', '%2B');
}

function labelOf(box: Element): string {
  const container = box.closest('.item-container') ?? box.closest('mat-form-field')?.parentElement;
  const heading = container?.firstElementChild;
  if (!heading || heading.contains(box)) return '';
  return heading.textContent?.trim() ?? '';
}

function valueShown(box: Element): string | null {
  const shown =
    box instanceof HTMLSelectElement
      ? box.selectedOptions[0]
      : box.querySelector('.mat-mdc-select-value-text, .mat-select-value-text');
  return shown?.textContent?.trim() || null;
}
