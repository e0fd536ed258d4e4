import { DomainError } from '@docwright/contract';
import { expect, it } from 'vitest';
import { createWorkingStateAfter } from './working-state-after.ts';

const missing = () => {
  throw new DomainError('not_found', 'schema_not_found', 'There is no such schema.');
};
const stateAfter = createWorkingStateAfter({
  schemas: () => ({
    get: async (revid) => (revid === 'removed' ? missing() : { schema_id: 'schema' }) as never,
    getCurrent: async () => ({ schema_revid: 'schema now' }) as never,
  }),
  prompts: () => ({
    get: async () => ({ prompt_id: 'prompt' }) as never,
    getCurrent: async () => ({ prompt_revid: 'prompt now' }) as never,
  }),
  extractions: () => ({
    latest: async (document_id) => {
      if (document_id === 'broken') throw new Error('database is down');
      return (
        document_id === 'document'
          ? { result: { total: '1' }, grounding: {}, version: 2, is_complete: true, issues: [] }
          : undefined
      ) as never;
    },
  }),
});
const actor = { organizationId: 'o', userId: 'u', role: 'member' } as const;
const step = (kind: 'schema' | 'prompt' | 'tag', id: string) => ({
  kind,
  id,
  name: '',
  changes: 1,
  base: 0,
  firstCallId: 'call',
});
const after = (state: object, ...steps: ReturnType<typeof step>[]) =>
  stateAfter(actor, { schema_revid: null, prompt_revid: null, extraction: null, ...state }, { undone: [], steps });

it('points to the current revision of undone schemas and prompts only', async () => {
  const state = { schema_revid: 's1', prompt_revid: 'p1' };
  expect(await after(state)).toEqual({ ...state, extraction: null });
  expect(await after(state, step('schema', 'schema'))).toEqual({
    ...state,
    schema_revid: 'schema now',
    extraction: null,
  });
  expect(await after(state, step('prompt', 'prompt'))).toMatchObject({ ...state, prompt_revid: 'prompt now' });
  expect(await after(state, step('tag', 'schema'), step('schema', 'other'))).toMatchObject(state);
  expect(await after({ schema_revid: 'removed' })).toMatchObject({ schema_revid: null });
});

it('reads the referenced extraction again and leaves others as they are', async () => {
  const reference = { prompt_revid: 'p', result: { total: '9' } };
  expect((await after({ extraction: { ...reference, document_id: 'document' } })).extraction).toMatchObject({
    result: { total: '1' },
    version: 2,
  });
  expect((await after({ extraction: { ...reference, document_id: 'without result' } })).extraction).toBeNull();
  expect((await after({ extraction: { total: '9' } })).extraction).toEqual({ total: '9' });
  await expect(after({ extraction: { ...reference, document_id: 'broken' } })).rejects.toThrow('database is down');
});
