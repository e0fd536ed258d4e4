import type { Prompt, Schema, Tag } from '@docwright/contract';
import type { ScriptedStep } from '@docwright/agent-core/testing';
import { mongo } from 'mongoose';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { format, uniqueName, startUndoTestBench, type UndoTestBench } from '../../testing/undo-test-bench.ts';
import { turnUndoModel } from './turn-undo-model.ts';

let bench: UndoTestBench;
beforeAll(async () => {
  bench = await startUndoTestBench();
});
afterAll(async () => bench.stop());

interface TestRecord {
  kind: string;
  collection: string;
  id: string;
  path: string;
  steps: ScriptedStep[];
}

/** A document and one record of each other kind, with the calls that change them. The extraction is created by its call. */
async function createRecords(): Promise<{ chat: string; records: TestRecord[] }> {
  const { id, chat } = await bench.readDocument();
  const [schema, tag, prompt] = [await bench.newSchema(), await bench.newTag(), await bench.newPrompt()];
  const call = (name: string, args: object): ScriptedStep => ({ calls: [{ name, args: { ...args } }] });
  const records: TestRecord[] = [
    {
      kind: 'schema',
      collection: 'schemas',
      id: schema.schema_id,
      path: `./schemas?name_search=`,
      steps: [call('update_schema', { schema_id: schema.schema_id, response_format: format('x') })],
    },
    {
      kind: 'prompt',
      collection: 'prompts',
      id: prompt.prompt_id,
      path: `./prompts?name_search=`,
      steps: [call('update_prompt', { prompt_id: prompt.prompt_id, content: 'Else?' })],
    },
    {
      kind: 'tag',
      collection: 'tags',
      id: tag.tag_id,
      path: `./tags/${tag.tag_id}`,
      steps: [call('update_tag', { tag_id: tag.tag_id, name: uniqueName('tag'), description: 'theirs' })],
    },
    {
      kind: 'document',
      collection: 'documents',
      id,
      path: `./documents/${id}`,
      steps: [call('update_document', { document_name: uniqueName('new.txt'), set_metadata: { a: 'b' } })],
    },
    {
      kind: 'extraction',
      collection: 'extractions',
      id: '',
      path: `./documents/${id}/extractions/${prompt.prompt_revid}`,
      steps: [call('run_extraction', { prompt_revid: prompt.prompt_revid }), { text: '{"total":"5"}' }],
    },
  ];
  return { chat, records };
}

/** All records as the API returns them. */
async function readAll(records: TestRecord[]): Promise<unknown[]> {
  const answers = records.map(async ({ path }) => (await bench.admin.get<Schema | Prompt | Tag>(path)).body);
  return Promise.all(answers);
}

const kinds = ['schema', 'prompt', 'tag', 'document', 'extraction'];
/** Each kind is changed concurrently once, at several places in the order of the writes. */
const cases = kinds.flatMap((victim, at) =>
  [0, 2, 4].map((place) => {
    const others = [...kinds.slice(at + 1), ...kinds.slice(0, at)];
    return { victim, order: [...others.slice(0, place), victim, ...others.slice(place)] };
  }),
);

it.each(cases)('undoes nothing of $order if the $victim is changed during the undo', async ({ victim, order }) => {
  const { chat, records } = await createRecords();
  const sorted = order.map((kind) => records.find((record) => record.kind === kind)!);
  const before = await readAll(records);
  const turn = await bench.turnOf(chat, ...sorted.flatMap(({ steps }) => steps));
  const { collection, id } = records.find(({ kind }) => kind === victim)!;
  const changed = await readAll(records);
  expect(changed).not.toEqual(before);
  const one = id === '' ? { document_id: new mongo.ObjectId(chat.split('/')[2]) } : { _id: new mongo.ObjectId(id) };
  const touch = (by: number) => bench.connection.collection(collection).updateOne(one, { $inc: { changes: by } });

  // Right after the plan was stored.
  const undos = turnUndoModel(bench.connection);
  const create = undos.create.bind(undos);
  vi.spyOn(undos, 'create').mockImplementationOnce((async (record: never) => {
    const made = await create(record);
    expect((await touch(1)).modifiedCount).toBe(1);
    return made;
  }) as never);
  const refused = await bench.undo(chat, turn);
  expect([refused.status, refused.error?.code]).toEqual([409, 'changed_since']);
  expect(await readAll(records)).toEqual(changed);
  expect((await bench.undo(chat, turn)).error?.code).toBe('changed_since');
  const audit = await bench.admin.get<{ entries: { kind: string }[] }>(`./audit?turn_id=${turn.turn_id}&limit=100`);
  expect(audit.body.entries.filter(({ kind }) => kind === 'undone')).toEqual([]);

  // Without that change the undo succeeds.
  await touch(-1);
  const { status, body } = await bench.undo(chat, turn);
  expect([status, body.undone.length]).toEqual([200, 5]);
});
