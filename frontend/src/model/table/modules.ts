// The rows and columns of the table of modules: one row per module, one column per memory space. Pure.

import type { ModuleEntry, ModuleSpace, ModulesAnswer } from '../../generated/contract';
import { formatBytes, groupDigits } from '../../lib/bytes';
import type { TableColumn } from './table';

/** What a letter takes of a name's column, and what else is in it. */
const LETTER = 7;
const BESIDE_NAME = 24;
const LEAST_NAME = 180;
const MOST_NAME = 480;

export interface SpaceColumn extends TableColumn {
  readonly space: string;
  /** The largest peak of any module in this space: what a full bar stands for. */
  readonly largest: number;
}

/** Memory spaces that any module uses, by their number. */
export function spacesOf(answer: ModulesAnswer): string[] {
  const numbers = new Map<string, number>();
  for (const { spaces } of answer.modules)
    for (const { space, memory_space } of spaces) numbers.set(space, memory_space);
  return [...numbers].sort(([, a], [, b]) => a - b).map(([space]) => space);
}

export function spaceOf(module: ModuleEntry, space: string): ModuleSpace | null {
  return module.spaces.find((entry) => entry.space === space) ?? null;
}

export function moduleColumns(answer: ModulesAnswer): readonly (TableColumn | SpaceColumn)[] {
  const { modules } = answer;
  const spaces = spacesOf(answer);
  // One bar stands beside the name and takes the room; several share it, and the name has the rest.
  const single = spaces.length === 1;
  const text = (
    key: string,
    label: string,
    width: number,
    help: string,
    of: (module: ModuleEntry) => string,
  ): TableColumn => {
    const value = (row: number): string => of(modules[row]!);
    return { key, label, help, width, align: 'start', shown: true, text: value, sortKey: value, csv: value };
  };
  const count = (row: number): number | null => modules[row]!.instruction_count;
  return [
    {
      ...text(
        'module',
        'Module',
        single ? nameWidth(modules) : 240,
        'Name of the compiled program, with its number.',
        (module) => module.module,
      ),
      stretch: !single,
      least: LEAST_NAME,
    },
    ...spaces.map((space) => ({ ...spaceColumn(modules, space), stretch: single })),
    {
      key: 'instruction_count',
      label: 'Instructions',
      help: 'Instructions in all computations of the module.',
      width: 104,
      align: 'end',
      shown: true,
      text: (row) => (count(row) === null ? '' : groupDigits(count(row)!)),
      sortKey: count,
      csv: count,
    },
    {
      ...text('platform', 'Platform', 100, 'Platform that the module is compiled for.', platformOf),
      shown: modules.some((module) => platformOf(module) !== ''),
      least: 92,
    },
    {
      ...text('hosts', 'Hosts', 110, 'Hosts whose captures contain this module.', (module) => module.hosts.join(', ')),
      least: 76,
    },
  ];
}

function platformOf({ device, platform }: ModuleEntry): string {
  return device ?? platform ?? '';
}

function nameWidth(modules: readonly ModuleEntry[]): number {
  const longest = modules.reduce((most, { module }) => Math.max(most, module.length), 0);
  return Math.max(LEAST_NAME, Math.min(MOST_NAME, longest * LETTER + BESIDE_NAME));
}

function spaceColumn(modules: readonly ModuleEntry[], space: string): SpaceColumn {
  const peak = (row: number): number | null => spaceOf(modules[row]!, space)?.peak_bytes ?? null;
  return {
    key: `${space}_peak_bytes`,
    label: space,
    help: `Peak usage of ${space}.`,
    width: 150,
    least: 112,
    align: 'end',
    shown: true,
    space,
    largest: Math.max(1, ...modules.map((_, row) => peak(row) ?? 0)),
    text: (row) => (peak(row) === null ? '' : formatBytes(peak(row)!)),
    sortKey: peak,
    csv: peak,
  };
}

/** Modules of one name that differ between hosts: what is the same program everywhere should cost the same everywhere. */
export interface HostDifference {
  readonly name: string;
  readonly rows: readonly number[];
}

export function hostDifferences(answer: ModulesAnswer): HostDifference[] {
  const byName = new Map<string, number[]>();
  answer.modules.forEach((module, row) => {
    // Whether hosts have the same one is known once it is decoded.
    if (!module.decoded) return;
    const rows = byName.get(module.name);
    if (rows === undefined) byName.set(module.name, [row]);
    else rows.push(row);
  });
  return [...byName]
    .filter(([, rows]) => differsAcrossHosts(rows.map((row) => answer.modules[row]!)))
    .map(([name, rows]) => ({ name, rows }));
}

/** Two modules of one name that no host holds both of: one program, compiled differently. */
function differsAcrossHosts(modules: readonly ModuleEntry[]): boolean {
  return modules.some((one, at) =>
    modules.slice(at + 1).some((other) => !one.hosts.some((host) => other.hosts.includes(host))),
  );
}
