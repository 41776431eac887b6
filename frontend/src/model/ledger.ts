// The parts of a memory space that sum to the required bytes, and what is left. Pure.

import type { Headline } from '../generated/contract';

export interface Part {
  readonly key: 'argument' | 'output' | 'constant' | 'temporary' | 'fragmentation' | 'scoped';
  readonly label: string;
  readonly bytes: number;
  readonly meaning: string;
}

/** The parts, stacked from the left; their sum is required_bytes exactly. */
export function ledger(headline: Headline): Part[] {
  const parts: Part[] = [
    part(
      'argument',
      'Arguments',
      headline.argument_bytes,
      'Inputs of the program: parameters, optimizer state, batch. Held for the whole run.',
    ),
    part(
      'output',
      'Outputs',
      headline.output_bytes,
      'Results that do not reuse an argument’s memory. Held for the whole run.',
    ),
    part('constant', 'Constants', headline.constant_bytes, 'Arrays baked into the program.'),
    part(
      'temporary',
      'Temporaries at peak',
      headline.temporary_peak_bytes,
      'The most memory that intermediate values occupy at once.',
    ),
    part(
      'fragmentation',
      'Fragmentation',
      headline.fragmentation_bytes,
      'Reserved for temporaries, but not in use even at their peak: gaps in the address space.',
    ),
    part(
      'scoped',
      'Scoped',
      headline.max_scoped_bytes,
      'The most memory that a single instruction reserves while it runs.',
    ),
  ];
  return parts.filter((one) => one.bytes > 0);
}

function part(key: Part['key'], label: string, bytes: number, meaning: string): Part {
  return { key, label, bytes, meaning };
}
