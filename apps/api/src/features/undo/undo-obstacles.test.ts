import { beforeEach, expect, it } from 'vitest';
import { createUndoObstacles } from './undo-obstacles.ts';

const queries: unknown[] = [];
beforeEach(() => void queries.splice(0));
const obstacles = createUndoObstacles({
  schemasOf: () => ({ getCurrent: async (id) => (id === 'schema' ? ({ id } as never) : undefined) }),
  promptsOf: () => ({
    list: async (query) => {
      queries.push(query);
      return { revisions: [{ artifact_id: 'p1', name: 'Invoices' }] as never, total_count: 1 };
    },
  }),
  tagsOf: () => ({ get: async (id) => (id === 'tag' ? ({ id } as never) : undefined) }),
  documentsOf: () => ({
    list: async (query) => {
      queries.push(query);
      return { documents: [{ id: 'd1', document_name: 'note.txt' }] as never, total_count: 1 };
    },
  }),
});
const undone =
  (...keys: string[]) =>
  (kind: string, id: string) =>
    keys.includes(`${kind}:${id}`);
const first = { skip: 0, limit: 100 };

it('finds the prompts that use a schema which the undo removes, also pending ones', async () => {
  const removal = { id: 's', content: null };
  expect(await obstacles.ofSchema('o', removal, undone())).toEqual(['the prompt “Invoices” uses the schema now']);
  expect(queries).toEqual([{ ...first, schema_id: 's', review: 'any' }]);
  expect(await obstacles.ofSchema('o', removal, undone('prompt:p1'))).toEqual([]);
  expect(await obstacles.ofSchema('o', { id: 's', content: {} }, undone())).toEqual([]);
});

it('finds what a restored prompt misses', async () => {
  const prompt = (tag_ids: string[], schema_id?: string) => ({
    content: { content: 'Total?', tag_ids, ...(schema_id !== undefined && { schema_id }) },
  });
  const lacksTag = 'a tag that the prompt had has been deleted';
  const lacksSchema = 'the schema that the prompt used has been deleted';
  expect(await obstacles.ofPrompt('o', { content: null }, undone())).toEqual([]);
  expect(await obstacles.ofPrompt('o', prompt(['tag'], 'schema'), undone())).toEqual([]);
  expect(await obstacles.ofPrompt('o', prompt(['tag', 'gone']), undone())).toEqual([lacksTag]);
  expect(await obstacles.ofPrompt('o', prompt(['gone', 'gone too'], 'gone'), undone('tag:gone'))).toEqual([
    lacksTag,
    lacksSchema,
  ]);
  expect(await obstacles.ofPrompt('o', prompt(['gone'], 'gone'), undone('tag:gone', 'schema:gone'))).toEqual([]);
});

it('finds the prompts and documents that have a tag', async () => {
  expect(await obstacles.usersOfTag('o', 't', undone())).toEqual(['the prompt “Invoices”', 'the document “note.txt”']);
  expect(queries).toEqual([
    { ...first, tag_ids: ['t'], review: 'any' },
    { ...first, tag_ids: ['t'] },
  ]);
  expect(await obstacles.usersOfTag('o', 't', undone('prompt:p1'))).toEqual(['the document “note.txt”']);
  expect(await obstacles.usersOfTag('o', 't', undone('document:d1'))).toEqual(['the prompt “Invoices”']);
});
