// The state as a URL hash, so that a link shows a colleague the same picture. What is hovered is nobody's business.

import { GROUPINGS } from '../generated/vocabulary';
import { formatHash, parseHash } from '../lib/hash_params';
import { type Baseline, type GroupBy, INITIAL, type State } from './state';

/** The buffer is named by id, which only a dataset can turn into a row: it travels beside the state. */
export interface HashState {
  readonly state: State;
  readonly buffer: string | null;
}

export function readHash(hash: string): HashState {
  const parameters = parseHash(hash);
  const text = (name: string): string | null => parameters.get(name) || null;
  const group = text('group') as GroupBy | null;
  const state: State = {
    ...INITIAL,
    shown: text('view') === 'modules' ? 'modules' : 'module',
    run: text('run'),
    host: text('host'),
    module: text('module'),
    space: text('space'),
    point: integer(text('point')),
    window: range(text('window')),
    within: text('within') === '1',
    group: group !== null && Object.hasOwn(GROUPINGS, group) ? group : INITIAL.group,
    expression: text('expression') ?? '',
    groupPath: path(text('path')),
    filter: text('filter') ?? '',
    zoom: range(text('zoom')),
    capacity: integer(text('capacity')),
    folded: rows(text('fold')),
    baseline: baseline(text('baseline')),
  };
  return { state, buffer: text('buffer') };
}

export function writeHash(state: State, buffer: string | null): string {
  return formatHash([
    ['view', state.shown === 'modules' ? 'modules' : null],
    ['run', state.run],
    ['host', state.host],
    ['module', state.module],
    ['space', state.space],
    ['point', state.point === null ? null : String(state.point)],
    ['window', state.window === null ? null : state.window.join(',')],
    ['within', state.within ? '1' : null],
    ['buffer', buffer],
    ['group', state.group === INITIAL.group ? null : state.group],
    ['expression', state.expression || null],
    ['path', state.groupPath.length === 0 ? null : JSON.stringify(state.groupPath)],
    ['filter', state.filter || null],
    ['zoom', state.zoom === null ? null : state.zoom.join(',')],
    ['fold', state.folded.length === 0 ? null : state.folded.join(',')],
    ['capacity', state.capacity === null ? null : String(state.capacity)],
    ['baseline', state.baseline === null ? null : JSON.stringify(state.baseline)],
  ]);
}

function integer(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

function range(text: string | null): readonly [number, number] | null {
  const found = text === null ? null : /^(\d{1,15}),(\d{1,15})$/.exec(text);
  if (!found) return null;
  const [a, b] = [Number(found[1]), Number(found[2])];
  return a < b ? [a, b] : null;
}

function rows(text: string | null): readonly number[] {
  return text !== null && /^\d{1,9}(,\d{1,9})*$/.test(text) ? text.split(',').map(Number) : INITIAL.folded;
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

function path(text: string | null): readonly string[] {
  const value = parsed(text);
  return Array.isArray(value) && value.every((part) => typeof part === 'string') ? value : [];
}

function baseline(text: string | null): Baseline | null {
  const value = parsed(text);
  if (typeof value !== 'object' || value === null) return null;
  const { run, host, module, space } = value as Record<string, unknown>;
  if (typeof run !== 'string' || typeof module !== 'string' || typeof space !== 'string') return null;
  return { run, host: typeof host === 'string' ? host : null, module, space };
}
