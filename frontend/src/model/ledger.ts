// The parts of a memory space that sum to the required bytes, and what is left. Pure.

import type { Headline } from '../generated/contract';
import { HEADLINE } from '../generated/vocabulary';

export interface Part {
  readonly key: 'argument' | 'output' | 'constant' | 'temporary' | 'fragmentation' | 'scoped';
  readonly label: string;
  readonly bytes: number;
  readonly meaning: string;
}

type PartNumber = Exclude<keyof Headline & keyof typeof HEADLINE, 'capacity_bytes'>;

/** The parts, stacked from the left; their sum is required_bytes exactly. */
export function ledger(headline: Headline): Part[] {
  const parts: Part[] = [
    part('argument', 'argument_bytes', headline),
    part('output', 'output_bytes', headline),
    part('constant', 'constant_bytes', headline),
    part('temporary', 'temporary_peak_bytes', headline),
    part('fragmentation', 'fragmentation_bytes', headline),
    part('scoped', 'max_scoped_bytes', headline),
  ];
  return parts.filter((one) => one.bytes > 0);
}

function part(key: Part['key'], number: PartNumber, headline: Headline): Part {
  const { word, sentence } = HEADLINE[number];
  return { key, label: word, bytes: headline[number], meaning: sentence };
}
