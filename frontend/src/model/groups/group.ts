// Which group every buffer belongs to, by what the person groups by; and which buffers the chosen group keeps. The server says
// the groups; only those of a grouping expression are made here. Pure.

import type { GroupingEntry } from '../../generated/contract';
import { GROUPINGS } from '../../generated/vocabulary';
import { decodeRows } from '../../lib/column';
import { parsePattern } from '../../lib/pattern';
import type { State } from '../../state/state';
import type { Dataset } from '../dataset';
import { type GroupNode, GroupSums, GroupTree } from './tree';

/** What grouping needs of the state. */
export type GroupChoice = Pick<State, 'group' | 'groupPath' | 'instructionNames'>;

/** The groups, and the innermost one of every buffer row. */
export interface Grouping {
  readonly tree: GroupTree;
  readonly nodeOf: Int32Array;
}

export const NO_MATCH = '(no match)';
const EXPRESSION = 'expression';

interface Memo {
  readonly groupings: Map<string, { names: unknown; grouping: Grouping }>;
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

/** What buffers can be grouped by: key and word. */
export function groupChoices(dataset: Dataset): readonly (readonly [string, string])[] {
  return [
    ...dataset.answer.groupings.map(({ by, word }) => [by, word] as const),
    [EXPRESSION, GROUPINGS[EXPRESSION].word],
  ];
}

/** What is grouped by: what the state asks for, the first where the answer has no such grouping. */
export function shownGroup(dataset: Dataset, { group }: Pick<State, 'group'>): string {
  const { groupings } = dataset.answer;
  return group === EXPRESSION || groupings.some(({ by }) => by === group) ? group : groupings[0]!.by;
}

/** Whether there is nothing yet to group by. */
export function lacksExpression({ group, expression }: Pick<State, 'group' | 'expression'>): boolean {
  return group === EXPRESSION && parsePattern(expression).kind === 'none';
}

/** The grouping that is shown; worked out once a data set and kind. */
export function groupingOf(dataset: Dataset, choice: GroupChoice): Grouping {
  const { groupings } = memoOf(dataset);
  const { instructionNames } = choice;
  const group = shownGroup(dataset, choice);
  const names = group === EXPRESSION ? instructionNames : null;
  const known = groupings.get(group);
  if (known !== undefined && known.names === names) return known.grouping;
  const grouping = group === EXPRESSION ? byExpression(dataset, names) : sentGrouping(dataset, group);
  groupings.set(group, { names, grouping });
  return grouping;
}

/** By buffer row, 1 where the buffer is in the chosen group; null where no group is chosen. */
export function rowsInGroup(dataset: Dataset, choice: GroupChoice): Uint8Array | null {
  if (choice.groupPath.length === 0) return null;
  if (choice.group === EXPRESSION && choice.instructionNames === null) return null;
  const memo = memoOf(dataset);
  const last = memo.chosen;
  if (last !== null && sameChoice(last.choice, choice)) return last.rows;
  const { tree, nodeOf } = groupingOf(dataset, choice);
  const inside = new Uint8Array(tree.count);
  const top = tree.find(choice.groupPath);
  if (top !== null) inside[top] = 1;
  for (let node = (top ?? tree.count) + 1; node < tree.count; node++) inside[node] = inside[tree.parents[node]!]!;
  const rows = Uint8Array.from(nodeOf, (node) => inside[node]!);
  memo.chosen = { choice, rows };
  return rows;
}

function sameChoice(a: GroupChoice, b: GroupChoice): boolean {
  return a.group === b.group && a.groupPath === b.groupPath && a.instructionNames === b.instructionNames;
}

/** These rows as a tree of groups with their bytes. */
export function groupTree(dataset: Dataset, choice: GroupChoice, rows: Int32Array): GroupNode {
  const { tree, nodeOf } = groupingOf(dataset, choice);
  const sums = new GroupSums(tree);
  for (const row of rows) sums.add(nodeOf[row]!, dataset.size[row]!, dataset.unpaddedSize[row]!);
  return sums.settle();
}

/** A row's path of group names. */
export function pathOf(dataset: Dataset, choice: GroupChoice, row: number): readonly string[] {
  const { tree, nodeOf } = groupingOf(dataset, choice);
  return tree.path(nodeOf[row]!);
}

/** A path is a scope of the answer, and a node of the grouping's own tree below it. */
function sentGrouping(dataset: Dataset, by: string): Grouping {
  const { groupings, strings } = dataset.answer;
  const entry: GroupingEntry = groupings.find((one) => one.by === by)!;
  const tree = new GroupTree();
  const parent = decodeRows(entry.parent);
  const label = decodeRows(entry.label);
  const below = (top: number, node: number): number =>
    node === 0 ? top : tree.grow(below(top, parent[node]!), entry.labels[label[node]!]!);
  const pathScope = decodeRows(entry.path_scope);
  const tops = new Map<number, number>([[0, 0]]);
  const pathNode = decodeRows(entry.path_node).map((node, path) => {
    const scope = pathScope[path]!;
    let top = tops.get(scope);
    if (top === undefined) {
      top = strings.scopes[scope]!.split('/').reduce((at, name) => tree.grow(at, name), 0);
      tops.set(scope, top);
    }
    return below(top, node);
  });
  return { tree, nodeOf: decodeRows(entry.path).map((path) => pathNode[path]!) };
}

function byExpression(dataset: Dataset, names: State['instructionNames']): Grouping {
  const tree = new GroupTree();
  const nodeOf = dataset.instruction.map((instruction) => tree.grow(0, names?.[instruction] ?? NO_MATCH));
  return { tree, nodeOf };
}
