import { scriptedLlm, type ScriptedStep } from '@docwright/agent-core/testing';
import type { LlmClient } from '@docwright/agent-core';
import { DomainError, type Document, type Extraction, type Prompt, type Schema, type Tag } from '@docwright/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentModel } from '../documents/records/document-model.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import type { TestClient } from '../../testing/test-client.ts';

let harness: TestApp;
let script: LlmClient = scriptedLlm([]);
const setScript = (...steps: ScriptedStep[]) => (script = scriptedLlm(steps));
const json = (value: unknown): ScriptedStep => ({ text: JSON.stringify(value) });

beforeAll(async () => {
  harness = await startTestApp({ llm: { stream: (request) => script.stream(request) } });
});
afterAll(async () => harness.stop());

const row = {
  type: 'object',
  properties: { amount: { type: 'number' } },
  required: ['amount'],
  additionalProperties: false,
};
const response_format = {
  type: 'json_schema',
  json_schema: {
    name: 'invoice',
    schema: {
      type: 'object',
      properties: { number: { type: ['string', 'null'] }, rows: { type: 'array', items: row } },
      required: ['number', 'rows'],
      additionalProperties: false,
    },
  },
};
const good = { number: 'INV-7', rows: [{ amount: 5 }] };

async function upload(client: TestClient): Promise<string> {
  const content = Buffer.from('Invoice INV-7\nAmount 5').toString('base64');
  const body = { documents: [{ name: 'invoice.txt', content }] };
  return (await client.post<{ documents: [Document] }>('./documents', body)).body.documents[0].id;
}

async function uploadAndRead(client: TestClient): Promise<string> {
  const id = await upload(client);
  await harness.services.documents.textReading.readAll(new AbortController().signal);
  return id;
}

async function prompt(client: TestClient, more: object = {}): Promise<Prompt> {
  const { schema_id } = (await client.post<Schema>('./schemas', { name: 's', response_format })).body;
  return (await client.post<Prompt>('./prompts', { name: 'p', content: 'Read.', schema_id, ...more })).body;
}

async function runExtraction(
  client = harness.admin,
  result: unknown = good,
): Promise<{ url: string; extraction: Extraction }> {
  const document_id = await uploadAndRead(client);
  const { prompt_revid } = await prompt(client);
  setScript(json(result), json(result));
  const answer = await client.post<Extraction>(`./documents/${document_id}/extractions`, { prompt_revid });
  return { url: `./documents/${document_id}/extractions/${prompt_revid}`, extraction: answer.body };
}

describe('a run', () => {
  it('stores result, grounding and usage, and moves the document to llm_completed', async () => {
    const { url, extraction } = await runExtraction();
    expect(extraction).toMatchObject({
      version: 1,
      result: good,
      original_result: good,
      is_edited: false,
      is_verified: false,
      validation_errors: [],
      usage: { prompt_tokens: 100, completion_tokens: 10, spu: 1, estimated: false },
      grounding: { number: { page_num: 1, match: 'exact' }, 'rows.0.amount': { page_num: 1 } },
    });
    expect((await harness.admin.get<Extraction>(url)).body).toEqual(extraction);
    const document = await harness.admin.get<Document>(`./documents/${extraction.document_id}`);
    expect(document.body.state).toBe('llm_completed');
    const list = await harness.admin.get(`./documents/${extraction.document_id}/extractions`);
    expect(list.body).toMatchObject({ total_count: 1, skip: 0, limit: 10, extractions: [{ version: 1 }] });
  });

  it('is returned as CSV on request, with the places of its values', async () => {
    const { url } = await runExtraction();
    for (const address of [url, `${url}/versions/1`]) {
      const answer = await harness.admin.request('GET', address, { headers: { accept: 'text/csv' } });
      expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
      expect(answer.text.split('\r\n')).toEqual([
        'path,value,page,match,quote',
        'number,INV-7,1,exact,INV-7',
        'rows.0.amount,5,1,exact,5',
      ]);
    }
  });

  it('keeps the previous result when it fails, and stores the reason on the document', async () => {
    const { url, extraction } = await runExtraction();
    const { document_id, prompt_revid } = extraction;
    const down = new DomainError('model_failed', 'model_unreachable', 'Down.');
    for (const failing of [[{ text: 'no' }, { text: 'no' }], [{ error: down }]]) {
      setScript(...failing);
      const failed = await harness.admin.post(`./documents/${document_id}/extractions`, { prompt_revid });
      expect(failed.status).toBe(502);
      expect((await harness.admin.get<Extraction>(url)).body).toEqual(extraction);
      const document = await harness.admin.get<Document>(`./documents/${document_id}`);
      expect(document.body).toMatchObject({ state: 'llm_failed', state_error: { code: failed.error?.code } });
    }
  });

  it('writes nothing if its process stalled until the lease expired', async () => {
    const { url, extraction } = await runExtraction();
    const { document_id, prompt_revid } = extraction;
    const late = setScript(json({ number: 'late', rows: [] }));
    script = {
      async *stream(request) {
        await documentModel(harness.connection).updateOne({ _id: document_id }, { model_lease_until: new Date(0) });
        await harness.services.documents.sweeping.sweep(new AbortController().signal);
        yield* late.stream(request);
      },
    };
    const answer = await harness.admin.post(`./documents/${document_id}/extractions`, { prompt_revid });
    expect([answer.status, answer.error?.code]).toEqual([409, 'extraction_interrupted']);
    expect((await harness.admin.get<Extraction>(url)).body).toEqual(extraction);
    const { body } = await harness.admin.get<Document>(`./documents/${document_id}`);
    expect(body).toMatchObject({ state: 'llm_failed', state_error: { code: 'extraction_interrupted' } });
  });

  it('stores a result that is invalid after one correction, with its errors', async () => {
    const { extraction } = await runExtraction(harness.admin, { number: 7, rows: [] });
    expect(extraction).toMatchObject({
      result: { number: 7, rows: [] },
      validation_errors: [{ path: 'number', message: 'must be string,null' }],
    });
  });

  it('accepts any JSON object if the prompt has no schema', async () => {
    const document_id = await uploadAndRead(harness.admin);
    const body = { name: 'free', content: 'Read.' };
    const { prompt_revid } = (await harness.admin.post<Prompt>('./prompts', body)).body;
    const model = setScript(json([1]), json({ 'a.b': { $x: 1 } }));
    const answer = await harness.admin.post<Extraction>(`./documents/${document_id}/extractions`, { prompt_revid });
    expect(answer.body).toMatchObject({ result: { 'a.b': { $x: 1 } }, validation_errors: [] });
    expect(answer.body.schema_revid).toBeUndefined();
    expect(model.requests[0]?.responseFormat).toEqual({ type: 'json_object' });
  });

  it('chooses the newest prompt by tag, else the newest one created for the document, else none', async () => {
    const client = await harness.addOrganization();
    const { tag_id } = (await client.post<Tag>('./tags', { name: 't' })).body;
    const document_id = await uploadAndRead(client);
    await prompt(client);
    const run = () => client.post<Extraction>(`./documents/${document_id}/extractions`);
    const none = await run();
    expect([none.status, none.error?.code]).toEqual([400, 'no_prompt']);

    const origin = { call_id: 'made-in-chat', document_id };
    const body = { name: 'chat', content: 'Read.' };
    const made = await harness.services.prompts(client.actor).create(body, origin);
    setScript(json({}));
    expect((await run()).body.prompt_revid).toBe(made.prompt_revid);

    await prompt(client, { tag_ids: [tag_id] });
    const newest = await prompt(client, { tag_ids: [tag_id] });
    await client.patch(`./documents/${document_id}`, { tag_ids: [tag_id] });
    setScript(json(good));
    expect((await run()).body.prompt_revid).toBe(newest.prompt_revid);
  });

  it('that finishes last among concurrent runs is the current result, and each has its own version', async () => {
    const { url, extraction } = await runExtraction();
    const runs = `./documents/${extraction.document_id}/extractions`;
    const body = { prompt_revid: extraction.prompt_revid };
    setScript(json({ number: 'a', rows: [] }), json({ number: 'b', rows: [] }), json({ number: 'c', rows: [] }));
    const answers = await Promise.all([1, 2, 3].map(() => harness.admin.post<Extraction>(runs, body)));
    expect(new Set(answers.map((answer) => answer.body.version))).toEqual(new Set([2, 3, 4]));
    const last = answers.find((answer) => answer.body.version === 4);
    expect((await harness.admin.get<Extraction>(url)).body).toEqual(last?.body);
  });

  it('is made once for one call, and can be stopped', async () => {
    const { extraction } = await runExtraction();
    const { document_id, prompt_revid } = extraction;
    const service = harness.services.extractions(harness.admin.actor);
    const model = setScript(json(good));
    const first = await service.run(document_id, prompt_revid, { call_id: 'run-1' });
    expect(await service.run(document_id, prompt_revid, { call_id: 'run-1' })).toEqual(first);
    model.assertFinished();

    setScript({ hangs: true });
    const stop = new AbortController();
    const stopped = service.run(document_id, prompt_revid, { call_id: 'run-2' }, stop.signal);
    setTimeout(() => stop.abort(new Error('stopped')), 50);
    await expect(stopped).rejects.toThrow('stopped');
    expect((await service.get(document_id, prompt_revid)).version).toBe(first.version);
    expect((await harness.admin.get<Document>(`./documents/${document_id}`)).body.state).toBe('llm_completed');
  });

  it('refuses a document that is not read yet, and unknown references', async () => {
    const unread = await upload(harness.admin);
    const { prompt_revid } = await prompt(harness.admin);
    const refused = await harness.admin.post(`./documents/${unread}/extractions`, { prompt_revid });
    expect([refused.status, refused.error?.code]).toEqual([409, 'document_not_read_yet']);
    const unknown = await harness.admin.post(`./documents/${unread}/extractions`, { prompt_revid: 'f'.repeat(24) });
    expect([unknown.status, unknown.error?.code]).toEqual([400, 'unknown_reference']);
    const nowhere = await harness.admin.post(`./documents/${'f'.repeat(24)}/extractions`, { prompt_revid });
    expect(nowhere.status).toBe(404);
  });
});

describe('an edit', () => {
  it('sets one field, increments the version and revokes the verification', async () => {
    const { url, extraction } = await runExtraction();
    const verified = await harness.admin.put<Extraction>(`${url}/verification`, { is_verified: true });
    expect(verified.body).toMatchObject({ is_verified: true, version: 1 });
    const change = { path: 'rows.0.amount', value: 7, base_version: 1 };
    const edited = await harness.admin.patch<Extraction>(url, change);
    expect(edited.body).toMatchObject({
      version: 2,
      result: { ...good, rows: [{ amount: 7 }] },
      original_result: good,
      is_edited: true,
      is_verified: false,
      grounding: { number: extraction.grounding['number'] },
    });
    const stale = await harness.admin.patch(url, change);
    expect([stale.status, stale.error?.code]).toEqual([409, 'version_conflict']);
    const appended = await harness.admin.patch<Extraction>(url, {
      path: 'rows.1',
      value: { amount: 1 },
      base_version: 2,
    });
    expect(appended.body.version).toBe(3);
  });

  it('is refused if the schema refuses the value or the path does not exist', async () => {
    const { url } = await runExtraction();
    const attempt = async (path: string, value?: unknown) => {
      const { status, error } = await harness.admin.patch(url, { path, value, base_version: 1 });
      return [status, error?.code];
    };
    expect(await attempt('rows.0.amount', 'seven')).toEqual([400, 'invalid_value']);
    expect(await attempt('rows.1', {})).toEqual([400, 'invalid_value']);
    expect(await attempt('surplus', 1)).toEqual([400, 'invalid_value']);
    expect(await attempt('rows.5.amount', 1)).toEqual([400, 'unknown_path']);
    expect(await attempt('__proto__.x', 1)).toEqual([400, 'unknown_path']);
    expect(await attempt('number')).toEqual([422, 'invalid_request']);
    expect((await harness.admin.get<Extraction>(url)).body.version).toBe(1);
  });

  it('can correct one of several errors, but must not leave an error at its own path', async () => {
    const { url } = await runExtraction(harness.admin, { number: 7, rows: ['x'] });
    const refused = await harness.admin.patch(url, { path: 'number', value: 8, base_version: 1 });
    expect([refused.status, refused.error?.code]).toEqual([400, 'invalid_value']);
    const corrected = await harness.admin.patch<Extraction>(url, { path: 'number', value: '8', base_version: 1 });
    expect(corrected.body.validation_errors).toEqual([{ path: 'rows.0', message: 'must be object' }]);
  });

  it('is applied once for one call, and only one of two concurrent edits succeeds', async () => {
    const { extraction } = await runExtraction();
    const { document_id, prompt_revid } = extraction;
    const service = harness.services.extractions(harness.admin.actor);
    const edit = (value: string, call_id: string) =>
      service.updateField(document_id, prompt_revid, { path: 'number', value, base_version: 1 }, { call_id });
    const outcomes = await Promise.allSettled([edit('A', 'edit-a'), edit('B', 'edit-b')]);
    expect(outcomes.map((outcome) => outcome.status).filter((status) => status === 'fulfilled')).toHaveLength(1);
    const won = outcomes[0]?.status === 'fulfilled' ? edit('A', 'edit-a') : edit('B', 'edit-b');
    expect(await won).toMatchObject({ version: 2 });
  });
});

it('refuses other organizations and viewers, and is removed with its document', async () => {
  const { url, extraction } = await runExtraction();
  const runs = `./documents/${extraction.document_id}/extractions`;
  const stranger = await harness.addOrganization();
  for (const refused of [
    await stranger.get(url),
    await stranger.get(runs),
    await stranger.post(runs, {}),
    await stranger.patch(url, { path: 'number', value: 'x', base_version: 1 }),
    await stranger.put(`${url}/verification`, { is_verified: true }),
    await harness.admin.get(`${runs}/${'0'.repeat(24)}`),
    await harness.admin.get(`${runs}/nope`),
  ]) {
    expect(refused.status).toBe(404);
  }
  const viewer = await harness.addUser('viewer');
  expect((await viewer.get(url)).status).toBe(200);
  expect((await viewer.post(runs, {})).status).toBe(403);
  expect((await viewer.patch(url, { path: 'number', value: 'x', base_version: 1 })).status).toBe(403);

  await harness.admin.delete(`./documents/${extraction.document_id}`);
  expect((await harness.admin.get(url)).status).toBe(404);
  const { document_id, prompt_revid } = extraction;
  await expect(harness.services.extractions(harness.admin.actor).get(document_id, prompt_revid)).rejects.toThrow();
});
