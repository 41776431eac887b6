// The entry of page.html: connects store, address, loader, guest and page.

import './styles/page.css';
import { Address } from './address';
import { getModules, getReport, inReport } from './api';
import { Guest, isGuest, type Selection, takeKeyboard } from './guest';
import { Store } from './lib/store';
import { Loader } from './loader';
import { ModuleList } from './loader_modules';
import { keepMatches } from './matching';
import type { Dataset } from './model/dataset';
import type { Loaded } from './model/loaded';
import { knownSpaces } from './model/module_list';
import { rowOfId } from './model/selection';
import { answerOf } from './model/stage';
import { bindActions, bindMoves, type ViewActions } from './state/actions';
import { readHash } from './state/hash';
import { INITIAL, type State } from './state/state';
import { followKeyboard } from './views/keyboard';
import { Page } from './views/page';
import { followTheme } from './views/shared/theme';

/** Where a guest keeps what a person chose, by what the Profile tab chose: the tab makes the frame anew now and then. */
const KEPT = 'memviewer:';
/** How long a guest waits for its host to say what is chosen. */
const HOST_PATIENCE_MS = 3000;

const guest = isGuest();
const start = readHash(guest ? '' : Address.initial());
const store = new Store<State>({ ...INITIAL, ...start.state });
const actions = bindActions(store);
const actionsOn = (dataset: Dataset): ViewActions => ({ ...actions, ...bindMoves(store, dataset) });
/** A buffer that the address names, until its dataset is there. */
let wantedBuffer = start.buffer;
let selection: Selection = { run: null, host: null, module: null };
let started = false;

const loader = new Loader({
  store,
  actions,
  quietly: (choose) => address.quietly(choose),
  changed: () => changed(),
});
const address = new Address({ store, guest, bufferId, arrive });
const door = guest ? new Guest({ select, reload: () => void loader.start() }) : null;
const page = new Page({
  store,
  actions,
  actionsOn,
  links: {
    address: () => address.link(),
    navigate:
      door === null
        ? null
        : (tool, instruction, newTab) => door.navigate(tool, instruction, store.state.module, newTab),
  },
  report: inReport() ? null : ({ answer: { run, host, module, space } }) => getReport({ run, host, module }, space),
  watch: (dataset) => keepMatches({ store, dataset, actions }),
  modules: { watch: watchModules, decoded: async (run, module) => (await getModules(run, null, [module])).modules[0] },
  showKeys: () => sheet.showModal(),
  retry: () => void loader.start(),
});
const sheet = followKeyboard({
  current: store,
  actions,
  shown: () => {
    const dataset = answerOf(loader.usage);
    return dataset === null ? null : { dataset, actions: actionsOn(dataset) };
  },
  spaces: () => knownSpaces(loader, store.state).map(({ space }) => space),
  focusModules: () => page.focusModules(),
  focusFilter: () => page.focusFilter(),
});

document.documentElement.classList.toggle('guest', guest);
document.querySelector('.unstarted')?.remove();
document.body.append(page.element, sheet);
takeKeyboard();
followTheme(actions.setTheme);
store.subscribe((state, previous) => {
  loader.follow(state, previous);
  if (guest) keep(state);
  if (state.shown !== previous.shown || state.space !== previous.space || state.module !== previous.module) changed();
});
changed();
// A guest waits for the word of its host: without one it shows its own pickers.
if (guest) setTimeout(() => started || begin(), HOST_PATIENCE_MS);
else begin();

function begin(): void {
  started = true;
  void loader.start();
}

function changed(): void {
  const dataset = answerOf(loader.usage);
  if (dataset !== null && wantedBuffer !== null) {
    const row = rowOfId(dataset, wantedBuffer, store.state);
    address.quietly(() => actions.pin(row));
    wantedBuffer = null;
  }
  page.show(loaded());
}

function loaded(): Loaded {
  const { runs, modules, usage, asking, spaces, findings, comparison, missing } = loader;
  const chosenElsewhere = { run: guest && selection.run !== null, module: guest && selection.module !== null };
  return { runs, modules, usage, asking, spaces, findings, comparison, missing, chosenElsewhere };
}

/** Tells of the modules of a run as they become known, until the function that it returns is called. */
function watchModules(run: string, changed: (modules: ModuleList['stage']) => void): () => void {
  const list = new ModuleList(() => changed(list.stage));
  void list.list(run, null).then(() => {
    changed(list.stage);
    void list.fill();
  });
  return () => list.clear();
}

function bufferId(row: number): string | null {
  return answerOf(loader.usage)?.id[row] || null;
}

/** Takes over what an address says: a link followed within the page, or a step back. */
function arrive(hash: string): void {
  const { state, buffer } = readHash(hash);
  wantedBuffer = buffer;
  actions.arrive(state);
  changed();
}

/** What the Profile tab has chosen, with what a person chose for it before. */
function select(next: Selection): void {
  if (started && keyOf(next) === keyOf(selection)) return;
  selection = next;
  const kept = readHash(sessionStorage.getItem(keyOf(next)) ?? '');
  wantedBuffer = kept.buffer;
  address.quietly(() => actions.arrive({ ...kept.state, ...next }));
  if (!started) begin();
  changed();
}

function keep(state: State): void {
  if (state.module === null) return;
  const hash = address.hash();
  sessionStorage.setItem(keyOf(selection), hash);
}

function keyOf({ run, host, module }: Selection): string {
  return KEPT + JSON.stringify([run, host, module]);
}
