// The urgency of a finding, and what it depends on. Pure.

import type { Finding, FindingsAnswer } from '../generated/contract';
import { FINDING_KINDS } from '../generated/vocabulary';

export type Tone = 'bad' | 'warn' | 'note';

interface Kind {
  readonly urgency: Tone;
  readonly needsCapacity: boolean;
}

/** What the vocabulary has of a kind; a kind that it lacks is as urgent as the least, of any capacity. */
function kindOf({ kind }: Finding): Kind {
  const kinds: Readonly<Record<string, Kind>> = FINDING_KINDS;
  return Object.hasOwn(kinds, kind) ? kinds[kind]! : { urgency: 'note', needsCapacity: false };
}

/** What stops a program is bad, what nearly does is a warning, what could be saved is a note. */
export function findingTone(finding: Finding): Tone {
  return kindOf(finding).urgency;
}

/** Of what kinds something is found: what a number is marked for. */
export function foundKinds({ findings }: Pick<FindingsAnswer, 'findings'>): ReadonlySet<string> {
  return new Set(findings.map(({ kind }) => kind));
}

/** Those that do not depend on the capacity of the device. */
export function forAnyCapacity<Answer extends Pick<FindingsAnswer, 'findings'>>(answer: Answer): Answer {
  return { ...answer, findings: answer.findings.filter((finding) => !kindOf(finding).needsCapacity) };
}
