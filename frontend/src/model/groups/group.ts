// Which group every buffer belongs to, by what the person groups by; and which buffers the chosen group keeps. Pure.

import { PARAMETER } from '../../generated/vocabulary';
import { parsePattern } from '../../lib/pattern';
import { shortPath } from '../../lib/text';
import type { GroupBy, State } from '../../state/state';
import type { Dataset, Place } from '../dataset';
import { FRAMEWORK_CODE, shortPlaceText } from '../place_text';
import { argumentParts, operationOf } from './path';
import { buildTree, type GroupNode } from './tree';

/** What grouping needs of the state. */
export type GroupChoice = Pick<State, 'group' | 'groupPath' | 'instructionNames'>;

/** Buffers by group: each row has a key, each key a path of group names, outermost first. */
export interface Grouping {
  readonly keyOf: Int32Array;
  readonly paths: readonly (readonly string[])[];
}

export const NO_NAME = '(no name)';
const NO_SOURCE = '(no source line)';
export const NO_MATCH = '(no match)';

interface Memo {
  readonly groupings: Map<GroupBy, { names: unknown; grouping: Grouping }>;
  chosen: { choice: GroupChoice; rows: Uint8Array | null } | null;
}

const memos = new WeakMap<Dataset, Memo>();

function memoOf(dataset: Dataset): Memo {
  let memo = memos.get(dataset);
  if (memo === undefined) {
    memo = { groupings: new Map(), chosen: null };
    memos.set(dataset, memo);
  }
  return memo;
}

/** Whether there is nothing yet to group by. */
export function lacksExpression({ group, expression }: Pick<State, 'group' | 'expression'>): boolean {
  return group === 'expression' && parsePattern(expression).kind === 'none';
}

/** The grouping that the state asks for; worked out once a data set and kind. */
export function groupingOf(dataset: Dataset, choice: GroupChoice): Grouping {
  const { groupings } = memoOf(dataset);
  const names = choice.group === 'expression' ? choice.instructionNames : null;
  const known = groupings.get(choice.group);
  if (known !== undefined && known.names === names) return known.grouping;
  const grouping = makeGrouping(dataset, choice.group, choice.instructionNames);
  groupings.set(choice.group, { names, grouping });
  return grouping;
}

/** By buffer row, 1 where the buffer is in the chosen group; null where no group is chosen. */
export function rowsInGroup(dataset: Dataset, choice: GroupChoice): Uint8Array | null {
  if (choice.groupPath.length === 0) return null;
  if (choice.group === 'expression' && choice.instructionNames === null) return null;
  const memo = memoOf(dataset);
  const last = memo.chosen;
  if (last !== null && sameChoice(last.choice, choice)) return last.rows;
  const { keyOf, paths } = groupingOf(dataset, choice);
  const inside = Uint8Array.from(paths, (path) =>
    Number(choice.groupPath.every((name, depth) => path[depth] === name)),
  );
  const rows = Uint8Array.from(keyOf, (key) => inside[key]!);
  memo.chosen = { choice, rows };
  return rows;
}

function sameChoice(a: GroupChoice, b: GroupChoice): boolean {
  return a.group === b.group && a.groupPath === b.groupPath && a.instructionNames === b.instructionNames;
}

/** These rows as a tree of groups with their bytes. */
export function groupTree(dataset: Dataset, choice: GroupChoice, rows: Int32Array): GroupNode {
  const { keyOf, paths } = groupingOf(dataset, choice);
  const bytes = new Float64Array(paths.length);
  const unpadded = new Float64Array(paths.length);
  const count = new Uint32Array(paths.length);
  for (const row of rows) {
    const key = keyOf[row]!;
    bytes[key]! += dataset.size[row]!;
    unpadded[key]! += dataset.unpaddedSize[row]!;
    count[key]! += 1;
  }
  const leaves = paths.flatMap((path, key) =>
    count[key] === 0 ? [] : [{ path, bytes: bytes[key]!, unpadded: unpadded[key]!, count: count[key]! }],
  );
  return buildTree(leaves);
}

/** A row's path of group names. */
export function pathOf(dataset: Dataset, choice: GroupChoice, row: number): readonly string[] {
  const { keyOf, paths } = groupingOf(dataset, choice);
  return paths[keyOf[row]!]!;
}

type PathOf = (row: number) => readonly string[];

function makeGrouping(dataset: Dataset, by: GroupBy, names: State['instructionNames']): Grouping {
  const pathOfRow = PATHS[by](dataset, names);
  const keyOf = new Int32Array(dataset.count);
  const keys = new Map<string, number>();
  const paths: (readonly string[])[] = [];
  for (let row = 0; row < dataset.count; row++) {
    const path = pathOfRow(row);
    const text = path.join('\0');
    let key = keys.get(text);
    if (key === undefined) {
      key = paths.length;
      keys.set(text, key);
      paths.push(path);
    }
    keyOf[row] = key;
  }
  return { keyOf, paths };
}

const PATHS: Readonly<Record<GroupBy, (dataset: Dataset, names: State['instructionNames']) => PathOf>> = {
  scope: byScope,
  source: bySource,
  type: (dataset) => (row) => [dataset.type(row), dataset.opcode(row) || NO_NAME],
  opcode: (dataset) => (row) => [dataset.opcode(row) || NO_NAME, dataset.shapeText(row) || NO_NAME],
  dtype: (dataset) => (row) => [dataset.dtype(row) || NO_NAME, dataset.shapeText(row) || NO_NAME],
  shape: (dataset) => (row) => [dataset.shapeText(row) || NO_NAME],
  expression: (dataset, names) => (row) => [names?.[dataset.instruction[row]!] ?? NO_MATCH],
};

/** Scope and operation; what is named after an argument goes by the argument's own structure, for it has no scope. */
function byScope(dataset: Dataset): PathOf {
  const known = new Map<string, readonly string[]>();
  return (row) => {
    const argument = dataset.type(row) === PARAMETER;
    const text = `${argument}\0${dataset.scope(row)}\0${dataset.op(row)}\0${dataset.opcode(row)}`;
    let path = known.get(text);
    if (path === undefined) {
      path = scopePath(dataset.scope(row), dataset.op(row), dataset.opcode(row), argument);
      known.set(text, path);
    }
    return path;
  };
}

function scopePath(scope: string, op: string, opcode: string, argument: boolean): string[] {
  const operation = operationOf(op);
  if (scope !== '') return operation === '' ? scope.split('/') : [...scope.split('/'), operation];
  if (op !== '' && argument) return ['arguments', ...argumentParts(op)];
  if (op.includes('[')) return ['from arguments', ...argumentParts(op)];
  return [NO_NAME, operation || opcode || NO_NAME];
}

function bySource(dataset: Dataset): PathOf {
  const known = new Map<number, readonly string[]>();
  return (row) => {
    const instruction = dataset.instruction[row]!;
    let path = known.get(instruction);
    if (path === undefined) {
      const place = dataset.source(row);
      path = place === null ? [NO_SOURCE, dataset.type(row)] : sourcePath(place);
      known.set(instruction, path);
    }
    return path;
  };
}

/** A library's lines are together, so that they do not stand between those of the user's files. */
function sourcePath(place: Place): string[] {
  if (place.framework) return [FRAMEWORK_CODE, shortPlaceText({ ...place, framework: false })];
  return [shortPath(place.file), place.line === null ? NO_NAME : `line ${place.line}`];
}
