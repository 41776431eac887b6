// The only place that asks the server (or, in a one-file report, the data in the page itself).

import {
  type CompareAnswer,
  type Fault,
  type FindingsAnswer,
  type ModulesAnswer,
  type RunsAnswer,
  type SpacesAnswer,
  type UsageAnswer,
  VERSION,
} from './generated/contract';

/** What went wrong, in the server's words or ours, with what to do. */
export class ApiError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly advice: string,
  ) {
    super(message);
  }
}

export interface Chosen {
  readonly run: string;
  readonly host: string | null;
  readonly module: string;
}

type Query = Record<string, string | readonly string[] | null>;

/** Answers that came with the page, by route and query. */
declare global {
  interface Window {
    memviewerAnswers?: Record<string, unknown>;
  }
}

export const getRuns = (signal?: AbortSignal): Promise<RunsAnswer> => get('runs', {}, signal);

/** The modules of a run, none of them decoded for it. A report holds its one module decoded. */
export const getModuleNames = (run: string, host: string | null, signal?: AbortSignal): Promise<ModulesAnswer> =>
  get('modules', { run, host, names: inReport() ? null : '1' }, signal);

/** Those modules of a run that are named, decoded. */
export const getModules = (
  run: string,
  host: string | null,
  modules: readonly string[],
  signal?: AbortSignal,
): Promise<ModulesAnswer> => get('modules', { run, host, module: modules }, signal);

export const getSpaces = (chosen: Chosen, signal?: AbortSignal): Promise<SpacesAnswer> =>
  get('memory_spaces', { ...chosen }, signal);

export const getUsage = (chosen: Chosen, space: string, signal?: AbortSignal): Promise<UsageAnswer> =>
  get('usage', { ...chosen, space }, signal);

/** `capacity` is what the user says; null leaves it to the server. */
export const getFindings = (
  chosen: Chosen,
  space: string,
  capacity: number | null,
  signal?: AbortSignal,
): Promise<FindingsAnswer> => get('findings', { ...chosen, space, capacity: capacity?.toString() ?? null }, signal);

export interface Baseline extends Chosen {
  readonly space: string;
}

export const getComparison = (
  chosen: Chosen,
  space: string,
  baseline: Baseline,
  signal?: AbortSignal,
): Promise<CompareAnswer> =>
  get(
    'compare',
    {
      ...chosen,
      space,
      baseline_run: baseline.run,
      baseline_host: baseline.host,
      baseline_module: baseline.module,
      baseline_space: baseline.space,
    },
    signal,
  );

/** The page with the data of a module in one file, which opens without a server. */
export async function getReport(chosen: Chosen, space: string): Promise<string> {
  return (await ask(address('export', { ...chosen, space, format: 'html' }))).text();
}

/** Whether the page is a report, which holds its answers and can ask for no others. */
export const inReport = (): boolean => window.memviewerAnswers !== undefined;

/** A relative address of an answer: works under any prefix. */
export function address(route: string, query: Query): string {
  const parameters = Object.entries(query)
    .flatMap(([name, value]) => (value === null ? [] : [value].flat().map((one) => [name, one] as const)))
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return parameters.length === 0 ? route : `${route}?${parameters.join('&')}`;
}

export async function get<T>(route: string, query: Query, signal?: AbortSignal): Promise<T> {
  const at = address(route, query);
  if (window.memviewerAnswers) return bundled<T>(at);
  return ofThisVersion<T>(await (await ask(at, signal)).json());
}

/** A page that was open before the server was upgraded would misread its answers. */
function ofThisVersion<T>(answer: unknown): T {
  if ((answer as { readonly version?: unknown } | null)?.version === VERSION) return answer as T;
  throw new ApiError(
    'version',
    'The server now runs another version of the Memory Viewer than this page.',
    'Reload the page.',
  );
}

async function ask(at: string, signal?: AbortSignal): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(at, { credentials: 'same-origin', ...(signal ? { signal } : {}) });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(
      'unreachable',
      'The server does not respond.',
      'Check that TensorBoard is still running, then try again.',
    );
  }
  if (response.ok) return response;
  throw await fault(response);
}

function bundled<T>(at: string): T {
  const answer = window.memviewerAnswers?.[at];
  if (answer === undefined)
    throw new ApiError('not_in_report', 'This report does not contain that.', 'Open the logdir instead.');
  return answer as T;
}

async function fault(response: Response): Promise<ApiError> {
  try {
    const { error } = (await response.json()) as Fault;
    return new ApiError(error.code, error.message, error.advice);
  } catch {
    const advice = 'Try again. If the error persists, check TensorBoard’s log.';
    return new ApiError('http', `The server answered ${response.status}.`, advice);
  }
}
