import { systemIn } from '@docwright/agent-core/testing';
import type { Document, Prompt, Schema, Tag, Thread } from '@docwright/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { objectIdOf } from '../../../platform/database/object-id.ts';
import {
  createSchema,
  proposing,
  startAutoCreateTestBench,
  type AutoCreateTestBench,
} from '../../../testing/auto-create-test-bench.ts';

let bench: AutoCreateTestBench;
beforeAll(async () => {
  bench = await startAutoCreateTestBench();
});
afterAll(() => bench.stop());

async function createProposal() {
  const client = await bench.addOrganization();
  bench.script(...proposing);
  const { id } = await bench.upload(client, { autoCreate: true });
  const document = await bench.waitForEnd(client, id);
  expect(document.auto_create?.status).toBe('proposed');
  const decide = (what: string, body?: object) => client.post<Document>(`./documents/${id}/auto_create/${what}`, body);
  return { client, id, decide };
}

describe('accepting a proposal', () => {
  it('makes the prompt a regular one, and sets the tag on the document and on the prompt', async () => {
    const { client, id, decide } = await createProposal();
    const tag = await client.post<Tag>('./tags', { name: 'invoices' });
    const answer = await decide('accept', { tag_id: tag.body.tag_id });
    expect(answer).toMatchObject({
      status: 200,
      body: { auto_create: { status: 'accepted' }, tag_ids: [tag.body.tag_id] },
    });
    const { prompts } = await bench.records(client);
    expect(prompts).toMatchObject([{ tag_ids: [tag.body.tag_id] }]);
    expect(prompts[0]).not.toHaveProperty('review');
    expect(prompts[0]).not.toHaveProperty('auto_created');
    expect(await bench.extractions(client, id)).toHaveLength(1);

    const other = await bench.upload(client);
    await client.patch(`./documents/${other.id}`, { tag_ids: [tag.body.tag_id] });
    await bench.waitForEnd(client, other.id);
    bench.script({ text: '{"total": 6}' });
    const extraction = await client.post(`./documents/${other.id}/extractions`, {});
    expect(extraction).toMatchObject({ status: 201, body: { prompt_revid: prompts[0]!.prompt_revid } });
  });

  it('succeeds once among concurrent decisions, and the others are refused', async () => {
    const { client, id, decide } = await createProposal();
    const answers = await Promise.all(['accept', 'reject', 'accept', 'reject'].map((what) => decide(what)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
    const won = answers.findIndex(({ status }) => status === 200) % 2 === 0 ? 'accepted' : 'rejected';
    const { body } = await client.get<Document>(`./documents/${id}`);
    expect(body.auto_create?.status).toBe(won);
    expect((await bench.records(client)).prompts).toHaveLength(won === 'accepted' ? 1 : 0);
    expect((await decide('accept')).error?.code).toBe('not_proposed');
  });

  it('is refused for viewers and other organizations, and with a tag of another organization', async () => {
    const { client, id, decide } = await createProposal();
    const viewer = await bench.addUser('viewer', client.organizationId);
    const stranger = await bench.addOrganization();
    const foreign = await stranger.post<Tag>('./tags', { name: 'theirs' });
    expect((await viewer.post(`./documents/${id}/auto_create/accept`)).status).toBe(403);
    expect((await viewer.post(`./documents/${id}/auto_create`)).status).toBe(403);
    expect((await stranger.post(`./documents/${id}/auto_create/accept`)).status).toBe(404);
    expect((await decide('accept', { tag_id: foreign.body.tag_id })).status).toBe(400);
    expect((await client.get<Document>(`./documents/${id}`)).body.auto_create?.status).toBe('proposed');
  });
});

describe('rejecting a proposal', () => {
  it('removes schema, prompt and extraction, including later refinements', async () => {
    const { client, id, decide } = await createProposal();
    const { prompts } = await bench.records(client);
    await client.put(`./prompts/${prompts[0]!.prompt_id}`, { content: 'Take the total, with cents.' });
    const refined = (await bench.records(client)).prompts[0]!;
    expect(refined).toMatchObject({ prompt_version: 2, review: 'pending' });
    bench.script({ text: '{"total": 5.5}' });
    await client.post(`./documents/${id}/extractions`, { prompt_revid: refined.prompt_revid });
    expect(await bench.extractions(client, id)).toHaveLength(2);

    const answer = await decide('reject');
    expect(answer).toMatchObject({
      status: 200,
      body: { auto_create: { status: 'rejected' }, state: 'ocr_completed' },
    });
    expect(await bench.records(client)).toEqual({ schemas: [], prompts: [] });
    expect(await bench.extractions(client, id)).toEqual([]);
  });

  it('keeps a schema that another prompt uses', async () => {
    const { client, decide } = await createProposal();
    const [schema] = (await bench.records(client)).schemas as [Schema];
    const own = await client.post<Prompt>('./prompts', { name: 'Mine', content: 'Mine', schema_id: schema.schema_id });
    expect((await decide('reject')).status).toBe(200);
    expect(await bench.records(client)).toMatchObject({
      schemas: [{ schema_id: schema.schema_id }],
      prompts: [{ prompt_id: own.body.prompt_id }],
    });
  });

  it('allows a new run, as does a pending proposal', async () => {
    const { client, id, decide } = await createProposal();
    await decide('reject');
    for (const _ of ['after a rejection', 'in place of a proposal']) {
      bench.script(...proposing);
      expect((await client.post(`./documents/${id}/auto_create`)).status).toBe(202);
      expect((await bench.waitForEnd(client, id)).auto_create?.status).toBe('proposed');
      expect((await bench.records(client)).prompts).toHaveLength(1);
      expect(await bench.extractions(client, id)).toHaveLength(1);
    }
  });
});

describe('removing a document for good', () => {
  it('removes a pending proposal, and keeps an accepted one', async () => {
    for (const [what, left] of [
      [undefined, 0],
      ['accept', 1],
    ] as const) {
      const { client, id, decide } = await createProposal();
      if (what) await decide(what);
      expect((await client.delete(`./documents/${id}`)).status).toBe(204);
      // In the trash it can be restored with its proposal.
      expect((await bench.records(client)).prompts).toHaveLength(1);
      expect((await client.delete(`./documents/trash/${id}`)).status).toBe(204);
      const { schemas, prompts } = await bench.records(client);
      expect([schemas.length, prompts.length]).toEqual([left, left]);
    }
  });

  it('ends its run and removes what the run created as soon as the document is in the trash', async () => {
    const client = await bench.addOrganization();
    const model = bench.script(createSchema, { hangs: true });
    const { id } = await bench.upload(client, { autoCreate: true });
    await expect.poll(() => model.requests.length, { timeout: 10_000 }).toBe(2);
    expect((await bench.records(client)).schemas).toHaveLength(1);
    await client.delete(`./documents/${id}`);
    await expect.poll(async () => (await bench.records(client)).schemas.length, { timeout: 10_000 }).toBe(0);
    await client.delete(`./documents/trash/${id}`);
    await expect
      .poll(() => bench.connection.collection('document_runs').countDocuments({ document_id: objectIdOf(id) }), {
        timeout: 10_000,
      })
      .toBe(0);
  });
});

describe('refining a proposal', () => {
  it('starts a new thread with the proposal in its working state', async () => {
    const { client, id } = await createProposal();
    const { schemas, prompts } = await bench.records(client);
    const model = bench.script({ text: 'What shall I change?' });
    const chat = await client.post<{ thread_id: string }>(`./documents/${id}/chat`, {
      messages: [{ role: 'user', content: 'hello' }],
    });
    const expected = {
      schema_revid: schemas[0]!.schema_revid,
      prompt_revid: prompts[0]!.prompt_revid,
      extraction: { result: { total: 5 } },
    };
    expect(chat.body).toMatchObject({ working_state: expected });
    expect(systemIn(model.requests[0])).toContain(prompts[0]!.prompt_revid);
    const empty = await client.post<{ thread_id: string }>(`./documents/${id}/chat/threads`, {});
    const thread = await client.get<Thread>(`./documents/${id}/chat/threads/${empty.body.thread_id}`);
    expect(thread.body.working_state).toMatchObject(expected);
  });
});
