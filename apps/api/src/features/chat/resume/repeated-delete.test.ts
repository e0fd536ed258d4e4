import type { Document, TurnAnswer } from '@docwright/contract';
import { Types } from 'mongoose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decideAll, startChatTestBench, userMessage, type ChatTestBench } from '../../../testing/chat-test-bench.ts';

let bench: ChatTestBench;
beforeAll(async () => {
  bench = await startChatTestBench();
});
afterAll(async () => bench.stop());

describe('an approved deletion of the document of a conversation', () => {
  it('says again what was done, but not to others, and not after another deletion', async () => {
    const { id, chat } = await bench.documentOf(bench.admin);
    bench.script({ calls: [{ name: 'delete_document' }] }, { text: 'It is in the trash.' });
    const waiting = (await bench.admin.post<TurnAnswer>(chat, userMessage('Delete this document'))).body;
    const approve = () => bench.admin.post<TurnAnswer>(`${chat}/approve`, decideAll(waiting, true));
    const first = await approve();
    expect(first.body).toMatchObject({ status: 'completed', text: 'It is in the trash.' });
    expect(await approve()).toMatchObject({ status: 200, body: first.body });
    const turn = `${chat}/turns/${waiting.turn_id}`;
    expect(await bench.admin.get<TurnAnswer>(turn)).toMatchObject({ status: 200, body: { status: 'completed' } });
    const colleague = await bench.addUser('member', bench.admin.organizationId);
    expect((await colleague.get(turn)).error?.code).toBe('document_not_found');

    await bench.admin.post(`./documents/${id}/restore`, {});
    await bench.admin.delete(`./documents/${id}`);
    expect((await approve()).error?.code).toBe('document_not_found');
  });

  it('is carried on by another process, after the one that deleted it has ended', async () => {
    const stopping = await startChatTestBench();
    const { id, chat } = await stopping.documentOf(stopping.admin);
    stopping.script({ calls: [{ name: 'delete_document' }] }, { text: 'Never said.' });
    const waiting = (await stopping.admin.post<TurnAnswer>(chat, userMessage('Delete this document'))).body;
    const release = stopping.pauseModel();
    const left = stopping.admin.post<TurnAnswer>(`${chat}/approve`, decideAll(waiting, true));
    await expect.poll(async () => (await stopping.admin.get(`./documents/${id}`)).status).toBe(404);
    const stopped = stopping.services.chat.stop();
    release();
    await stopped;
    await left;

    const other = stopping.anotherProcess({ text: 'It is gone.' });
    const state = () => other.turns.state(stopping.admin.actor, id, waiting.turn_id);
    await expect.poll(async () => (await state()).status, { timeout: 10_000 }).toBe('completed');
    expect(await state()).toMatchObject({
      text: 'It is gone.',
      executed_rounds: [{ tool_calls: [{ name: 'delete_document', result: { document_id: id, deleted: true } }] }],
    });
    await other.stop();
    await stopping.stop();
  });
});

it('a document that is removed for good leaves no turn that waits for a decision, with what it had read', async () => {
  const { id, chat } = await bench.documentOf(bench.admin);
  bench.script({ calls: [{ name: 'delete_document' }] });
  const { turn_id } = (await bench.admin.post<TurnAnswer>(chat, userMessage('Delete this document'))).body;
  const stored = () =>
    bench.connection.collection<{ _id: string }>('agent_waiting_turns').countDocuments({ _id: turn_id });
  expect(await stored()).toBe(1);
  await bench.admin.delete(`./documents/${id}`);
  await bench.admin.delete(`./documents/trash/${id}`);
  expect(await stored()).toBe(0);
});

describe('a repeated call of an agent', () => {
  const origin = { call_id: new Types.ObjectId().toHexString() };

  it('does not delete a document again that a user has restored since, and says so', async () => {
    const { id } = await bench.documentOf(bench.admin);
    const documents = bench.services.documents.documents(bench.admin.actor);
    expect(await documents.delete(id, origin)).toBeUndefined();
    expect(await documents.delete(id, origin)).toBeUndefined();
    await bench.admin.post(`./documents/${id}/restore`, {});
    expect(await documents.delete(id, origin)).toEqual({ restored_since: true });
    expect((await bench.admin.get<Document>(`./documents/${id}`)).status).toBe(200);
  });

  it.each(['tags', 'schemas', 'prompts'] as const)(
    'does not delete %s again that were restored since',
    async (area) => {
      const bodies = {
        tags: { name: 'Kept' },
        schemas: { name: 'Kept', response_format: { type: 'json_schema', json_schema: kept } },
        prompts: { name: 'Kept', content: 'Read.' },
      };
      const { body } = await bench.admin.post<Record<string, string>>(`./${area}`, bodies[area]);
      const id = (body['tag_id'] ?? body['prompt_id'] ?? body['schema_id'])!;
      const { [area]: service } = bench.services;
      await service(bench.admin.actor).delete(id, origin);
      const one = { _id: new Types.ObjectId(id) };
      await bench.connection.collection(area).updateOne(one, { $set: { deleted_at: null, deleted_by_call: null } });
      await service(bench.admin.actor).delete(id, origin);
      expect((await bench.connection.collection(area).findOne(one))?.['deleted_at']).toBeNull();
    },
  );
});

const kept = {
  name: 'kept',
  strict: true,
  schema: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false },
};
