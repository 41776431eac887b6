// The tooltip of the line chart for the point under the pointer.

import { formatBytes, formatChange, groupDigits } from '../../lib/bytes';
import { shortenMiddle } from '../../lib/text';
import type { Dataset } from '../../model/dataset';
import { placeText } from '../../model/place_text';
import { el } from '../shared/dom';

/** With more lines, name and text, under the usage. */
export function tipContent(
  dataset: Dataset,
  point: number,
  more: readonly (readonly [string, string])[] = [],
): HTMLElement[] {
  const row = dataset.instructionAt(point);
  const source = dataset.instructionSource(row);
  const opcode = dataset.instructionOpcode(row);
  const scoped = dataset.scoped[point]!;
  const lines: (readonly [string, string])[] = [
    ['point', groupDigits(point)],
    ['usage', `${formatBytes(dataset.usage[point]!)}${changeText(dataset, point)}`],
    ...more,
    ['scoped', scoped > 0 ? `${formatBytes(scoped)} of it, only while this instruction runs` : ''],
    ['instruction', [dataset.instructionName(row), opcode].filter(Boolean).join(' · ')],
    ['op', dataset.instructionOp(row)],
    ['source', source === null ? '' : placeText(source)],
    ['phase', dataset.phases[dataset.pointPhase[point]!]?.label ?? ''],
  ];
  return lines
    .filter(([, text]) => text !== '')
    .flatMap(([name, text]) => [el('span', { class: 'tip-name' }, name), el('span', {}, shortenMiddle(text, 90))]);
}

function changeText(dataset: Dataset, point: number): string {
  if (point === 0) return '';
  const change = dataset.usage[point]! - dataset.usage[point - 1]!;
  return change === 0 ? '' : ` (${formatChange(change)})`;
}
