import type { Document } from '@docwright/contract';
import { afterEach, expect, it, vi } from 'vitest';
import { commonPrompt, resultsOfSelection } from './results-of-selection.ts';
import { nothingSelected, withAll } from './selection.ts';

afterEach(() => void vi.unstubAllGlobals());

const document = (id: string, ...prompts: string[]) =>
  ({ id, releases: prompts.map((prompt_id) => ({ prompt_id })) }) as unknown as Document;

it('shows the results of the prompt that has read the most of them', () => {
  expect(commonPrompt([document('1', 'a'), document('2', 'b', 'a'), document('3', 'c')])).toBe('a');
  expect(commonPrompt([document('1')])).toBeUndefined();
});

it('names chosen documents, and filters by the name and tag of a list', async () => {
  const documents = [document('1', 'a'), document('2', 'a')];
  expect(await resultsOfSelection('o', withAll(nothingSelected, documents), [])).toEqual({
    prompt: 'a',
    documents: ['1', '2'],
  });
  const matching = { query: { name_search: 'inv and', tag_ids: ['t'], sort: 'upload_date' as const }, count: 5_000 };
  expect(await resultsOfSelection('o', { ...nothingSelected, matching }, documents)).toEqual({
    prompt: 'a',
    where: 'document_name~"inv and"',
    tag: 't',
  });
});

it('names the documents of a state, and refuses too many', async () => {
  const fetched = vi.fn<(path: string) => Promise<Response>>(async () =>
    Response.json({ documents: [document('1', 'a'), document('2', 'a')] }),
  );
  vi.stubGlobal('fetch', fetched);
  const of = (count: number) =>
    resultsOfSelection('o', { ...nothingSelected, matching: { query: { state: 'llm_completed' }, count } }, []);
  expect(await of(2)).toEqual({ prompt: 'a', documents: ['1', '2'] });
  expect(fetched.mock.calls[0]![0]).toContain('state=llm_completed');
  await expect(of(301)).rejects.toThrow('300');
});
