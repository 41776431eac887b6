// Opens an instruction in Trace Viewer by typing it into the search box, because there is no address for it.

import { toolIn } from './selection';
import { recall, remember } from './session';

const FIND_KEY = 'memviewer:find-in-trace';
const LOOK_MS = 500;
/** A large trace takes its time; after this the person has found their own way. */
const PATIENCE_MS = 60_000;
/** How long the search box may be there while nothing says that the trace has come. */
const LOADING_MS = 5_000;

/** Have the instruction searched for once Trace Viewer is there. */
export function searchTraceLater(window: Window, instruction: string): void {
  remember(window, FIND_KEY, instruction);
}

/** Do the search that was asked for before XProf's page was loaded, if any; in a new browser tab the address asks for it. */
export function searchTrace(window: Window): void {
  const instruction = recall(window, FIND_KEY) ?? instructionIn(window.parent.location.search);
  remember(window, FIND_KEY, null);
  if (instruction === null || instruction === '') return;
  const began = Date.now();
  let boxSince: number | null = null;
  const look = (): void => {
    const trace = traceWindow(window);
    const box = trace?.document.getElementById('filter');
    if (box) boxSince ??= Date.now();
    const loaded =
      trace?.document.getElementById('throbber')?.className === 'inactive' ||
      (boxSince !== null && Date.now() - boxSince > LOADING_MS);
    if (trace && box && loaded) type(trace, box as HTMLInputElement, instruction);
    else if (Date.now() - began < PATIENCE_MS) window.setTimeout(look, LOOK_MS);
  };
  look();
}

function instructionIn(search: string): string | null {
  return toolIn(search) === 'trace_viewer' ? new URLSearchParams(search).get('node_name') : null;
}

// Trace Viewer takes events of its own window only.
function type(trace: Window & typeof globalThis, box: HTMLInputElement, text: string): void {
  box.value = text;
  box.dispatchEvent(new trace.Event('input', { bubbles: true }));
}

function traceWindow(window: Window): (Window & typeof globalThis) | null {
  const frame = window.document.querySelector<HTMLIFrameElement>('trace-viewer iframe');
  return frame?.contentWindow as (Window & typeof globalThis) | null;
}
