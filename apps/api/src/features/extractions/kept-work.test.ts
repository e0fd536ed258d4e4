import type { AuditEntry, DocumentBulk, Extraction, Prompt, Run, Thread, TurnAnswer } from '@docwright/contract';
import mongoose from 'mongoose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  startReviewedResultsTestBench,
  type ReviewedResultsTestBench,
} from '../../testing/reviewed-results-test-bench.ts';
import type { TestClient } from '../../testing/test-client.ts';

let bench: ReviewedResultsTestBench;
beforeAll(async () => {
  bench = await startReviewedResultsTestBench();
});
afterAll(() => bench.stop());

describe('a verified result', () => {
  it('is not changed field by field without a question, even with automatic approval', async () => {
    const { document, url } = await bench.extractDocument();
    await bench.verify(url);
    const before = await bench.read(url);
    const call = { calls: [{ name: 'update_extraction_field', args: { path: 'total', value: '9' } }] };
    bench.script(call);
    const { body } = await bench.admin.post<TurnAnswer>(`./documents/${document}/chat`, {
      messages: [{ role: 'user', content: 'Set the total to 9' }],
      auto_approved_tools: ['update_extraction_field'],
    });
    expect(body).toMatchObject({ status: 'awaiting_approval', tool_calls: [{ needs_approval: true }] });
    expect(await bench.read(url)).toEqual(before);
  });

  it('is not changed field by field by a run, which skips its document and counts it', async () => {
    const { document, url } = await bench.extractDocument();
    await bench.verify(url);
    const before = await bench.read(url);
    bench.script({ calls: [{ name: 'update_extraction_field', args: { path: 'total', value: '9' } }] });
    const body = {
      document_ids: [document],
      message: 'Set the total to 9',
      auto_approved_tools: ['update_extraction_field'],
    };
    const run = await bench.waitForRun((await bench.admin.post<Run>('./runs', body)).body);
    expect(run).toMatchObject({ state: 'completed', skipped: 1, succeeded: 0, failed: 0 });
    const { body: skipped } = await bench.admin.get<object>(`./runs/${run.id}/documents?state=skipped`);
    expect(skipped).toMatchObject({ documents: [{ document_id: document, error: { code: 'result_verified' } }] });
    expect(await bench.read(url)).toEqual(before);
  });

  it('is what a new conversation on the document works on', async () => {
    const { document, prompt, url } = await bench.extractDocument();
    await bench.verify(url);
    const later = (await bench.admin.post<Prompt>('./prompts', { name: 'later', content: 'Sum?' })).body;
    await bench.admin.post(`./documents/${document}/extractions`, { prompt_revid: later.prompt_revid });
    const threads = `./documents/${document}/chat/threads`;
    const startOf = async () => {
      const { thread_id } = (await bench.admin.post<{ thread_id: string }>(threads, {})).body;
      return (await bench.admin.get<Thread>(`${threads}/${thread_id}`)).body.working_state;
    };
    const { prompt_revid } = prompt;
    expect(await startOf()).toMatchObject({ prompt_revid, extraction: { prompt_revid, is_verified: true } });
    await bench.admin.put<Prompt>(`./prompts/${prompt.prompt_id}`, { content: 'The total?' });
    expect(await startOf()).toMatchObject({ prompt_revid: null, extraction: { prompt_revid, is_verified: true } });
  });

  it('stays in front of unverified results of later revisions, and runs skip its document', async () => {
    const { document, prompt, url } = await bench.extractDocument();
    await bench.verify(url);
    const { body: next } = await bench.admin.put<Prompt>(`./prompts/${prompt.prompt_id}`, { content: 'The total?' });
    const start = await bench.admin.post<DocumentBulk>('./documents/bulk', {
      action: 'extract',
      document_ids: [document],
      prompt_id: prompt.prompt_id,
    });
    await bench.waitForRun({ id: start.body.run_id } as never);
    const { body: job } = await bench.admin.get<DocumentBulk>(`./documents/bulk/${start.body.id}`);
    expect(job).toMatchObject({ succeeded: 0, skipped: 1 });

    // A user who asks for it gets the new result beside the verified one.
    await bench.admin.post(`./documents/${document}/extractions`, { prompt_revid: next.prompt_revid });
    const revisions = async () => {
      const { body } = await bench.admin.get<{ extractions: Extraction[] }>(`./documents/${document}/extractions`);
      return body.extractions.map(({ prompt_revid }) => prompt_revid);
    };
    expect(await revisions()).toEqual([prompt.prompt_revid, next.prompt_revid]);
    await bench.verify(`./documents/${document}/extractions/${next.prompt_revid}`);
    expect(await revisions()).toEqual([next.prompt_revid, prompt.prompt_revid]);
  });

  it('is marked at the version that the user saw', async () => {
    const { url } = await bench.extractDocument();
    await bench.edit(url, 'changed by somebody else', 1);
    const mark = (base_version: number) =>
      bench.admin.put<Extraction>(`${url}/verification`, { is_verified: true, base_version });
    expect(await mark(1)).toMatchObject({ status: 409, error: { code: 'version_conflict' } });
    expect((await bench.read(url)).is_verified).toBe(false);
    expect((await mark(2)).body.is_verified).toBe(true);
    const { body } = await bench.admin.get<{ entries: AuditEntry[] }>('./audit?limit=1');
    expect(JSON.parse(body.entries[0]!.arguments)).toMatchObject({ is_verified: true, base_version: 2 });
  });
});

describe('a verification', () => {
  it('of somebody else is not taken back by a request that names no version', async () => {
    const { url } = await bench.extractDocument();
    const colleague = await bench.addUser('member', bench.admin.organizationId);
    const put = (client: TestClient, is_verified: boolean, base_version?: number) =>
      client.put<Extraction>(`${url}/verification`, { is_verified, ...(base_version && { base_version }) });
    await put(colleague, true);
    expect(await put(bench.admin, false)).toMatchObject({
      status: 409,
      error: { code: 'version_conflict', message: expect.stringContaining('Somebody else has verified version 1') },
    });
    // Verifying it again leaves it the colleague's.
    expect((await put(bench.admin, true)).status).toBe(200);
    expect((await put(bench.admin, false)).status).toBe(409);
    expect((await put(colleague, false)).body.is_verified).toBe(false);
    await put(colleague, true);
    expect((await put(bench.admin, false, 1)).body.is_verified).toBe(false);
  });

  it('belongs to the user who verified the version by a correction or restored it, and again to the former user after an undo', async () => {
    const { document, prompt, url } = await bench.extractDocument();
    const colleague = await bench.addUser('member', bench.admin.organizationId);
    const put = async (client: TestClient, is_verified: boolean, base_version?: number) =>
      (await client.put(`${url}/verification`, { is_verified, ...(base_version && { base_version }) })).status;
    const correct = async (client: TestClient, path: string, value: string, version: number) => {
      const decision = { document_id: document, prompt_revid: prompt.prompt_revid, path, version };
      await client.post('./review/decide', { decisions: [{ ...decision, action: 'correct', value }] });
      expect(await bench.read(url)).toMatchObject({ version: version + 1, is_verified: true });
    };
    const undoNewest = async () => {
      const { body } = await bench.admin.get<{ entries: AuditEntry[] }>('./audit?limit=1');
      expect((await bench.admin.post(`./audit/${body.entries[0]!.id}/undo`, {})).status).toBe(200);
      expect((await bench.read(url)).is_verified).toBe(true);
    };
    await put(colleague, true);
    await correct(bench.admin, 'total', '11', 1);
    expect(await put(colleague, false)).toBe(409);
    expect(await put(bench.admin, false)).toBe(200);

    // Version 1 was the colleague's; the admin makes it the current one.
    await bench.admin.post(`${url}/versions/1/restore`, {});
    expect(await bench.read(url)).toMatchObject({ version: 3, is_verified: true });
    expect(await put(colleague, false)).toBe(409);
    expect(await put(bench.admin, false)).toBe(200);

    await put(colleague, true);
    await correct(bench.admin, 'total', '12', 3);
    await undoNewest();
    expect(await put(bench.admin, false)).toBe(409);
    expect(await put(bench.admin, false, 5)).toBe(200);
    await undoNewest();
    expect(await put(bench.admin, false)).toBe(409);
    expect(await put(colleague, false)).toBe(200);
  });

  it('of a release that did not store the user is taken back by a request that names no version', async () => {
    const { document, url } = await bench.extractDocument();
    await bench.verify(url);
    const which = { document_id: new mongoose.Types.ObjectId(document) };
    await bench.connection.collection('extractions').updateOne(which, { $unset: { verified_by: 1 } });
    const { body } = await bench.admin.put<Extraction>(`${url}/verification`, { is_verified: false });
    expect(body.is_verified).toBe(false);
  });
});

describe('a value that a user gave', () => {
  it('is carried over as that user’s when the prompt gets another revision, and undone with the extraction', async () => {
    const { document, prompt, url } = await bench.extractDocument();
    await bench.edit(url, 'by a user', 1);
    const { body: former } = await bench.admin.get<Extraction>(url);
    const { body: next } = await bench.admin.put<Prompt>(`./prompts/${prompt.prompt_id}`, { content: 'Total, date?' });
    const run = await bench.admin.post<Extraction>(`./documents/${document}/extractions`, {
      prompt_revid: next.prompt_revid,
    });
    expect(run.body).toMatchObject({
      result: { total: 'by a user' },
      carried_over: ['total'],
      is_edited: true,
      is_verified: false,
      version: 2,
      review: { total: { state: 'corrected' } },
    });
    expect(run.body.grounding['total']).toEqual(former.grounding['total']);
    // What the model read stays known, so that accuracy counts its error.
    expect(run.body.original_result).not.toEqual(run.body.result);
    const again = `./documents/${document}/extractions/${next.prompt_revid}`;
    const { body: log } = await bench.admin.get<{ entries: AuditEntry[] }>('./audit?limit=1&tool=run_extraction');
    expect((await bench.admin.post(`./audit/${log.entries[0]!.id}/undo`, {})).status).toBe(200);
    expect((await bench.admin.get(again)).status).toBe(404);

    // A user who asks for a new answer gets it.
    const fresh = { prompt_revid: next.prompt_revid, replace: 'edited' };
    const { body } = await bench.admin.post<Extraction>(`./documents/${document}/extractions`, fresh);
    expect(body).not.toHaveProperty('carried_over');
    expect(body.result).not.toEqual({ total: 'by a user' });
  });
});
