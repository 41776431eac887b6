// A fact as the card shows it: a name, a text, and what in the text can be clicked. Pure.

import { groupDigits } from '../lib/bytes';
import type { Dataset } from './dataset';

/** A piece of a text; at most one of `point` and `row` is there, and a click leads to it. */
export interface Part {
  readonly text: string;
  readonly point: number | null;
  /** A buffer. */
  readonly row: number | null;
}

export interface Fact {
  readonly name: string;
  /** All parts in one. */
  readonly text: string;
  readonly parts: readonly Part[];
  /** A name of the program's own, not words of ours. */
  readonly code: boolean;
  /** The program point that the fact is about. */
  readonly point: number | null;
}

export const plain = (text: string): Part => ({ text, point: null, row: null });

export function pointPart(dataset: Dataset, point: number, text = pointText(dataset, point)): Part {
  return { text, point, row: null };
}

export function bufferPart(dataset: Dataset, row: number): Part {
  return { text: dataset.name(row), point: null, row };
}

export function factOf(name: string, parts: readonly Part[], point: number | null = null): Fact {
  return { name, text: parts.map(({ text }) => text).join(''), parts, code: false, point };
}

export const words = (name: string, text: string): Fact => factOf(name, [plain(text)]);
export const code = (name: string, text: string): Fact => ({ ...factOf(name, [plain(text)]), code: true });

/** A fact that is a point, with words after it. */
export function at(name: string, dataset: Dataset, point: number, more: readonly Part[] = []): Fact {
  return factOf(name, [pointPart(dataset, point), ...more], point);
}

/** Only those that say something. */
export function filled(facts: readonly (Fact | null)[]): Fact[] {
  return facts.filter((fact): fact is Fact => fact !== null && fact.text !== '');
}

function pointText(dataset: Dataset, point: number): string {
  return `${groupDigits(point)} · ${dataset.instructionName(dataset.instructionAt(point))}`;
}
