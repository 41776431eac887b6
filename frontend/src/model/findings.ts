// How urgent a finding is. Pure.

import type { Finding } from '../contract';

export type Tone = 'bad' | 'warn' | 'note';

/** What stops a program is bad, what nearly does is a warning, what could be saved is a note. */
export function findingTone(finding: Finding): Tone {
  if (finding.kind === 'over_capacity') return 'bad';
  return finding.kind === 'near_capacity' ? 'warn' : 'note';
}
