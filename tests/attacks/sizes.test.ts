import type { ScriptedLlm } from '@docwright/agent-core/testing';
import type { Document, TurnAnswer } from '@docwright/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { userMessage, startChatTestBench, type ChatTestBench } from '../../apps/api/src/testing/chat-test-bench.ts';

let bench: ChatTestBench;
beforeAll(async () => {
  bench = await startChatTestBench();
});
afterAll(async () => bench.stop());

const tooMuch = { text: 'x'.repeat(64 * 1024) };
const justFits = { text: 'x'.repeat(64 * 1024 - JSON.stringify({ text: '' }).length) };
const content = Buffer.from('Total: 5').toString('base64');

describe('metadata beyond 64 kB', () => {
  it('is refused at the upload, in JSON and beside files', async () => {
    const upload = (metadata: object) =>
      bench.admin.post('./documents', { documents: [{ name: 'a.txt', content, metadata }] });
    expect(await upload(tooMuch)).toMatchObject({ status: 422, error: { code: 'invalid_request' } });
    // Bytes count, not characters.
    expect((await upload({ text: '€'.repeat(22 * 1024) })).status).toBe(422);
    expect((await upload(justFits)).status).toBe(201);

    const form = new FormData();
    form.append('files', new Blob(['Total: 5']), 'b.txt');
    form.append('metadata', JSON.stringify(tooMuch));
    const answer = await fetch(`${bench.address}/v0/orgs/${bench.admin.organizationId}/documents`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bench.admin.accessToken}` },
      body: form,
    });
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ error: { code: 'invalid_field' } });
  });

  it('is refused when a user or the agent changes a document', async () => {
    const { id, chat } = await bench.documentOf(bench.admin);
    expect((await bench.admin.patch(`./documents/${id}`, { metadata: tooMuch })).status).toBe(422);
    const model: ScriptedLlm = bench.script(
      { calls: [{ name: 'update_document', args: { set_metadata: tooMuch } }] },
      { text: 'No.' },
    );
    const { body } = await bench.admin.post<TurnAnswer>(chat, userMessage('Fill the metadata'));
    expect(body.status).toBe('completed');
    expect(body.executed_rounds[0]?.tool_calls[0]).toMatchObject({ success: false });
    expect(JSON.stringify(model.requests.at(-1))).toContain('64 kB');
    expect((await bench.admin.get<Document>(`./documents/${id}`)).body.metadata).toEqual({});
  });
});

describe('a result that is edited', () => {
  it('stays below 1 MB, even if its fields are filled one by one', async () => {
    const { id } = await bench.documentOf(bench.admin);
    const prompt = await bench.admin.post<{ prompt_revid: string }>('./prompts', { name: 'any', content: 'Read it' });
    await bench.services.documents.textReading.readAll(new AbortController().signal);
    bench.script({ text: '{"note":"short"}' });
    const run = await bench.admin.post(`./documents/${id}/extractions`, { prompt_revid: prompt.body.prompt_revid });
    expect(run.status).toBe(201);
    const change = { path: 'note', value: 'x'.repeat(1024 * 1024), base_version: 1 };
    const refused = await bench.admin.patch(`./documents/${id}/extractions/${prompt.body.prompt_revid}`, change);
    expect([refused.status, refused.error?.code]).toEqual([413, 'result_too_large']);
  });
});
