import type {
  DocumentBulk,
  Document,
  Extraction,
  ExtractionVersion,
  ExtractionVersionList,
  Run,
  Schedule,
  TurnAnswer,
} from '@docwright/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  startReviewedResultsTestBench,
  type ReviewedResultsTestBench,
} from '../../testing/reviewed-results-test-bench.ts';

let bench: ReviewedResultsTestBench;
beforeAll(async () => {
  bench = await startReviewedResultsTestBench();
});
afterAll(() => bench.stop());

describe('a reviewed result', () => {
  it('is replaced over the API only if the request allows it, and stays among the versions', async () => {
    const { url } = await bench.extractDocument();
    const first = await bench.read(url);
    expect((await bench.rerun(url)).status).toBe(201);
    await bench.edit(url, 'mine', 2);
    const refused = await bench.rerun(url);
    expect([refused.status, refused.error?.code]).toEqual([409, 'result_edited']);
    expect(refused.error?.message).toContain('replace: "edited"');
    await bench.verify(url);
    expect((await bench.rerun(url, { replace: 'edited' })).error?.code).toBe('result_verified');
    expect(await bench.read(url)).toMatchObject({ version: 3, result: { total: 'mine' }, is_verified: true });
    expect((await bench.rerun(url, { replace: 'verified' })).body).toMatchObject({ version: 4, is_verified: false });

    const { versions, total_count } = (await bench.admin.get<ExtractionVersionList>(`${url}/versions`)).body;
    expect(total_count).toBe(4);
    expect(
      versions.map(({ version, action, is_current, is_verified }) => [version, action, is_current, is_verified]),
    ).toEqual([
      [4, 'extracted', true, false],
      [3, 'edited', false, true],
      [2, 'extracted', false, false],
      [1, 'extracted', false, false],
    ]);
    expect(versions[1]).toMatchObject({
      result: { total: 'mine' },
      author: { kind: 'person', user_id: bench.admin.actor.userId, origin: { kind: 'api' } },
    });
    const page = await bench.admin.get<ExtractionVersionList>(`${url}/versions?skip=1&limit=2`);
    expect(page.body.versions.map(({ version }) => version)).toEqual([3, 2]);
    const one = await bench.admin.get<ExtractionVersion>(`${url}/versions/1`);
    expect(one.body).toMatchObject({ result: first.result, grounding: first.grounding });
    expect((await bench.admin.get(`${url}/versions/9`)).error?.code).toBe('version_not_found');

    const restored = await bench.admin.post<Extraction>(`${url}/versions/3/restore`, {});
    expect([restored.status, restored.body]).toEqual([
      200,
      expect.objectContaining({ version: 5, result: { total: 'mine' }, is_edited: true, is_verified: true }),
    ]);
    expect((await bench.admin.get<ExtractionVersion>(`${url}/versions/5`)).body).toMatchObject({
      action: 'restored',
      restored_from: 3,
      is_current: true,
    });
    const viewer = await bench.addUser('viewer');
    expect((await viewer.post(`${url}/versions/1/restore`, {})).status).toBe(403);
    const stranger = await bench.addOrganization();
    expect((await stranger.get(`${url}/versions`)).status).toBe(404);
  });

  it('is replaced and restored only at the version that the user saw, if the request names it', async () => {
    const { url } = await bench.extractDocument();
    // Somebody else has run it again meanwhile.
    expect((await bench.rerun(url)).body).toMatchObject({ version: 2 });
    const late = await bench.rerun(url, { base_version: 1 });
    expect([late.status, late.error?.code, late.error?.details]).toEqual([
      409,
      'version_conflict',
      { current_version: 2 },
    ]);
    const restore = (base_version: number) =>
      bench.admin.post<Extraction>(`${url}/versions/1/restore`, { base_version });
    expect((await bench.rerun(url, { base_version: 2 })).body).toMatchObject({ version: 3 });
    await bench.edit(url, 'mine', 3);
    expect((await restore(3)).error?.code).toBe('version_conflict');
    expect((await restore(4)).body).toMatchObject({ version: 5 });
  });

  it('needs an approval in a chat, even with automatic approval, and the user sees the values to be replaced', async () => {
    const { document, prompt, url } = await bench.extractDocument();
    await bench.edit(url, 'mine', 1);
    const wide = { tool: 'run_*', effect: 'allow', scope: 'document', document_id: document };
    await bench.admin.post('./permission_rules', wide);
    const chat = `./documents/${document}/chat`;
    const call = { calls: [{ name: 'run_extraction', args: { prompt_revid: prompt.prompt_revid } }] };
    bench.script(call);
    const message = { messages: [{ role: 'user', content: 'Again' }], auto_approved_tools: ['run_extraction'] };
    const { body } = await bench.admin.post<TurnAnswer>(chat, message);
    expect(body.status).toBe('awaiting_approval');
    expect(body.tool_calls[0]?.preview).toMatchObject({
      kind: 'replace',
      version: 2,
      edited_count: 1,
      edited_values: [{ path: 'total', edited_value: 'mine' }],
    });
    const approvals = [{ call_id: body.tool_calls[0]!.id, approved: true }];
    const after = await bench.admin.post<TurnAnswer>(`${chat}/approve`, { turn_id: body.turn_id, approvals });
    expect(after.body.executed_rounds[0]?.tool_calls[0]).toMatchObject({ success: true });
    expect(await bench.read(url)).toMatchObject({ version: 3, is_edited: false });
    const { versions } = (await bench.admin.get<ExtractionVersionList>(`${url}/versions`)).body;
    expect(versions.map(({ author }) => author?.kind)).toEqual(['chat', 'person', 'person']);

    // A rule with a condition on the argument allows it.
    await bench.verify(url);
    await bench.admin.post('./permission_rules', { ...wide, when: { path: 'replace', equals: 'verified' } });
    bench.script({
      calls: [{ name: 'run_extraction', args: { prompt_revid: prompt.prompt_revid, replace: 'verified' } }],
    });
    expect((await bench.admin.post<TurnAnswer>(chat, message)).body.status).toBe('completed');
    expect(await bench.read(url)).toMatchObject({ version: 4, is_verified: false });
  });

  it('goes back to the trash with the undo of a restore only if the request includes it', async () => {
    const { document, url } = await bench.extractDocument();
    const read = async (id: string) => (await bench.admin.get<DocumentBulk>(`./documents/bulk/${id}`)).body;
    const job = async (action: string) => {
      const body = { document_ids: [document], action };
      const { id } = (await bench.admin.post<DocumentBulk>('./documents/bulk', body)).body;
      await expect.poll(async () => (await read(id)).ended_at, { timeout: 30_000 }).not.toBeNull();
      return id;
    };
    const undo = (id: string, body?: object) => bench.admin.post(`./documents/bulk/${id}/undo`, body);
    await job('delete');
    const restored = await job('restore');
    await bench.verify(url);
    const refused = await undo(restored);
    expect(refused).toMatchObject({ status: 409, error: { code: 'documents_verified' } });
    expect(refused.error?.details).toMatchObject({ documents: [{ document_id: document }], count: 1 });
    expect((await undo(restored, { including_verified: true })).status).toBe(202);
    await expect.poll(async () => (await read(restored)).undo?.state, { timeout: 30_000 }).toBe('completed');
    expect((await bench.admin.get(`./documents/${document}`)).status).toBe(404);
  });

  it('is skipped and counted by schedules, unless they allow its replacement', async () => {
    const { prompt, url } = await bench.extractDocument();
    await bench.verify(url);
    const createSchedule = async (more: object) =>
      (
        await bench.admin.post<Schedule>('./schedules', {
          name: 's',
          every: '1d',
          action: 'run_extraction',
          prompt_id: prompt.prompt_id,
          ...more,
        })
      ).body;
    expect((await createSchedule({})).filter).toEqual({ without_result: true });
    const schedule = await createSchedule({ filter: { without_result: false }, max_documents: 1000 });
    const runToEnd = async (id: string) =>
      bench.waitForRun((await bench.admin.post<Run>(`./schedules/${id}/run`, {})).body);
    const run = await runToEnd(schedule.id);
    expect(run).toMatchObject({ state: 'completed', skipped: 1, failed: 0 });
    expect(run.succeeded).toBe(run.total - 1);
    const { documents } = (await bench.admin.get<{ documents: unknown[] }>(`./runs/${run.id}/documents?state=skipped`))
      .body;
    expect(documents).toMatchObject([{ state: 'skipped', error: { code: 'result_verified' } }]);
    expect(await bench.read(url)).toMatchObject({ version: 1, is_verified: true });

    // A bulk job always skips it.
    const body = { query: {}, action: 'extract', prompt_id: prompt.prompt_id };
    const bulk = (await bench.admin.post<DocumentBulk>('./documents/bulk', body)).body;
    const job = async () => (await bench.admin.get<DocumentBulk>(`./documents/bulk/${bulk.id}`)).body;
    await expect.poll(async () => (await job()).state, { timeout: 20_000 }).toBe('completed');
    expect(await job()).toMatchObject({ skipped: 1, failed: 0, done: bulk.total });
    expect(await bench.read(url)).toMatchObject({ version: 1, is_verified: true });

    const replacing = await createSchedule({ filter: { without_result: false }, replace: 'verified' });
    expect(await runToEnd(replacing.id)).toMatchObject({ skipped: 0 });
    const { versions } = (await bench.admin.get<ExtractionVersionList>(`${url}/versions`)).body;
    expect(versions[0]).toMatchObject({
      version: 2,
      author: { kind: 'run', origin: { kind: 'schedule', id: replacing.id } },
    });
    expect(versions[1]).toMatchObject({ version: 1, is_verified: true });
  });

  it('is skipped and counted by a run of the agent, unless the agent wrote something else', async () => {
    const { document, prompt, url } = await bench.extractDocument();
    const extraction = { name: 'run_extraction', args: { prompt_revid: prompt.prompt_revid } };
    const run = async (script: { name: string; args: Record<string, unknown> }[]) => {
      bench.script({ calls: script });
      const auto_approved_tools = ['run_extraction', 'create_tag'];
      const body = { document_ids: [document], message: 'Again', auto_approved_tools };
      return await bench.waitForRun((await bench.admin.post<Run>('./runs', body)).body);
    };
    const skipped = async (id: string) =>
      (await bench.admin.get<{ documents: unknown[] }>(`./runs/${id}/documents?state=skipped`)).body.documents;
    await bench.edit(url, 'mine', 1);
    const first = await run([extraction]);
    expect(first).toMatchObject({ state: 'completed', skipped: 1, succeeded: 0, failed: 0 });
    expect(await skipped(first.id)).toMatchObject([{ document_id: document, error: { code: 'result_edited' } }]);
    await bench.verify(url);
    const second = await run([extraction]);
    expect(await skipped(second.id)).toMatchObject([{ error: { code: 'result_verified' } }]);
    const tag = { name: 'create_tag', args: { name: 'Seen again' } };
    expect(await run([tag, extraction])).toMatchObject({ skipped: 0, succeeded: 1 });
    expect(await bench.read(url)).toMatchObject({ version: 2, result: { total: 'mine' }, is_verified: true });
    expect((await bench.admin.get<Document>(`./documents/${document}`)).body.state).toBe('llm_completed');
  });
});
