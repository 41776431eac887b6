// How urgent a finding is. Pure.

import type { Finding } from '../contract';

export type Tone = 'bad' | 'warn' | 'note';

const TONES: Readonly<Record<string, Tone>> = {
  over_capacity: 'bad',
  scoped_over_capacity: 'bad',
  near_capacity: 'warn',
  dominant_buffer: 'warn',
};

/** What stops a program is bad, what nearly does is a warning, what could be saved is a note. */
export function findingTone(finding: Finding): Tone {
  return TONES[finding.kind] ?? 'note';
}
