// Runs of equal phase along a stretch of points, gathered to what pixels can show. Pure.

export interface PhaseRun {
  readonly phase: number;
  readonly start: number;
  readonly end: number;
}

/** Runs within cells `[a, b)`; runs narrower than a pixel (of `width`) are swallowed by the widest phase of their pixel. */
export function phaseRuns(phase: Int32Array, a: number, b: number, width: number): PhaseRun[] {
  const least = (b - a) / Math.max(1, width);
  const runs: PhaseRun[] = [];
  let start = a;
  for (let point = a; point < b; point++) {
    if (point + 1 < b && phase[point + 1] === phase[point]) continue;
    push(runs, { phase: phase[point]!, start, end: point + 1 }, least);
    start = point + 1;
  }
  return runs;
}

function push(runs: PhaseRun[], run: PhaseRun, least: number): void {
  const last = runs[runs.length - 1];
  if (last === undefined || (run.end - run.start >= least && last.end - last.start >= least)) {
    runs.push(run);
    return;
  }
  if (last.phase === run.phase || run.end - run.start < least) {
    runs[runs.length - 1] = {
      phase: last.end - last.start >= run.end - run.start ? last.phase : run.phase,
      start: last.start,
      end: run.end,
    };
    return;
  }
  runs.push(run);
}
