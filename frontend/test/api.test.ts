/** What the page makes of answers: those of another version are refused, with what to do. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiError, getRuns } from '../src/api';
import { VERSION } from '../src/generated/contract';
import { golden } from './golden';

const answers = (body: unknown, status = 200): void =>
  void vi.stubGlobal('fetch', async () => new Response(JSON.stringify(body), { status }));

const refused = async (): Promise<ApiError> => {
  const error = await getRuns().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
};

vi.stubGlobal('window', {});
afterEach(() => vi.stubGlobal('fetch', undefined));

describe('an answer', () => {
  const runs = golden('RunsAnswer', 'runs.json');

  it('of this version is taken', async () => {
    answers(runs);
    expect(await getRuns()).toEqual(runs);
  });

  it.each([VERSION + 1, VERSION - 1, undefined, null])('of version %s asks for a reload', async (version) => {
    answers({ ...runs, version });
    const error = await refused();
    expect(error.code).toBe('version');
    expect(error.advice).toBe('Reload the page.');
  });

  it('that is no record is refused', async () => {
    answers(null);
    expect((await refused()).code).toBe('version');
  });

  it('with an error has the words of the server', async () => {
    const fault = golden('Fault', 'fault.json');
    answers(fault, 404);
    const { code, message, advice } = await refused();
    expect({ code, message, advice, path: null }).toEqual(fault.error);
  });
});
