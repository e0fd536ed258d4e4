import type { Schema, Tag } from '@docwright/contract';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { tagModel } from '../tags/tag-model.ts';
import { format, uniqueName, startUndoTestBench, type UndoTestBench } from '../../testing/undo-test-bench.ts';

let bench: UndoTestBench;
beforeAll(async () => {
  bench = await startUndoTestBench();
});
afterAll(async () => bench.stop());

/** The next change of a tag fails before it reaches the database. */
const killNextChange = () =>
  vi.spyOn(tagModel(bench.connection), 'updateOne').mockImplementationOnce(() => {
    throw new Error('killed');
  });

it('undoes the writes of a failed turn, and ignores notes without a write', async () => {
  const { chat } = await bench.documentOf(bench.admin);
  const [tag, written] = [await bench.newTag(), uniqueName('tag')];
  const create = { name: 'create_tag', args: { name: written } };
  const change = { name: 'update_tag', args: { tag_id: tag.tag_id, description: 'never there' } };
  const killed = killNextChange();
  const turn = await bench.turnTo(chat, 'failed', [{ calls: [create, change] }]);
  killed.mockRestore();
  expect(await bench.current('tags', written)).toHaveLength(1);
  await bench.admin.request('PUT', `./tags/${tag.tag_id}`, { payload: { description: 'by hand' } });

  const { status, body } = await bench.undo(chat, turn);
  expect([status, body.undone]).toEqual([200, [expect.objectContaining({ tool: 'create_tag' })]]);
  expect(await bench.current('tags', written)).toEqual([]);
  expect((await bench.admin.get<Tag>(`./tags/${tag.tag_id}`)).body.description).toBe('by hand');
});

it('undoes once if it is requested many times concurrently', async () => {
  const { chat } = await bench.documentOf(bench.admin);
  const [schema, tag] = [await bench.newSchema(), await bench.newTag()];
  const turn = await bench.turnOf(
    chat,
    { calls: [{ name: 'update_tag', args: { tag_id: tag.tag_id, name: uniqueName('tag') } }] },
    { calls: [{ name: 'update_schema', args: { schema_id: schema.schema_id, response_format: format('x') } }] },
  );
  const answers = await Promise.all(Array.from({ length: 5 }, () => bench.undo(chat, turn)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(new Set(answers.map(({ body }) => JSON.stringify(body.undone))).size).toBe(1);
  expect((await bench.current<Schema>('schemas', schema.name))[0]!.schema_version).toBe(3);
});

it('has the same result if it is killed in the middle and repeated', async () => {
  const { chat } = await bench.documentOf(bench.admin);
  const [schema, tag, name] = [await bench.newSchema(), await bench.newTag(), uniqueName('tag')];
  const turn = await bench.turnOf(
    chat,
    { calls: [{ name: 'create_tag', args: { name } }] },
    { calls: [{ name: 'update_tag', args: { tag_id: tag.tag_id, name: uniqueName('tag') } }] },
    { calls: [{ name: 'update_schema', args: { schema_id: schema.schema_id, response_format: format('x') } }] },
  );
  const killed = killNextChange();
  expect((await bench.undo(chat, turn)).status).toBe(500);
  killed.mockRestore();
  expect((await bench.current<Schema>('schemas', schema.name))[0]!.schema_version).toBe(3);
  expect((await bench.admin.get<Tag>(`./tags/${tag.tag_id}`)).body).not.toEqual(tag);

  const { status, body } = await bench.undo(chat, turn);
  expect([status, body.undone.length]).toEqual([200, 3]);
  expect((await bench.current<Schema>('schemas', schema.name))[0]!.schema_version).toBe(3);
  expect((await bench.admin.get<Tag>(`./tags/${tag.tag_id}`)).body).toEqual(tag);
  expect(await bench.current('tags', name)).toEqual([]);
});
