// The urgency of a finding, and what it depends on. Pure.

import type { Finding, FindingsAnswer } from '../generated/contract';

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

/** Of what kinds something is found: what a number is marked for. */
export function foundKinds({ findings }: Pick<FindingsAnswer, 'findings'>): ReadonlySet<string> {
  return new Set(findings.map(({ kind }) => kind));
}

/** Those that do not depend on the capacity of the device. */
export function forAnyCapacity<Answer extends Pick<FindingsAnswer, 'findings'>>(answer: Answer): Answer {
  return { ...answer, findings: answer.findings.filter(({ kind }) => !Object.hasOwn(TONES, kind)) };
}
