import { scriptedLlm, type ScriptedStep } from '@docwright/agent-core/testing';
import type { LlmClient } from '@docwright/agent-core';
import type {
  DocumentBulk,
  Document,
  Extraction,
  ExtractionVersion,
  ExtractionVersionList,
  Prompt,
  Run,
  Schedule,
  Tag,
  TurnAnswer,
} from '@docwright/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startJobs } from '../../process/start-jobs.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

let harness: TestApp;
let total = 0;
/** The model extracts another total every time; in a chat it calls what `calls` holds. */
let calls: ScriptedStep[] = [];
const llm: LlmClient = {
  async *stream(request) {
    const isExtraction = request.tools === undefined || request.tools.length === 0;
    const step = isExtraction ? { text: JSON.stringify({ total: `${(total += 1)}` }) } : calls.shift();
    yield* scriptedLlm([step ?? { text: 'Done.' }]).stream(request);
  },
};
beforeAll(async () => {
  harness = await startTestApp({ llm });
  await startJobs(harness.services);
});
afterAll(async () => harness.stop());

async function extracted(): Promise<{ document: string; prompt: Prompt; url: string }> {
  const content = Buffer.from('Total: 5').toString('base64');
  const { body } = await harness.admin.post<{ documents: [Document] }>('./documents', {
    documents: [{ name: 'note.txt', content }],
  });
  const document = body.documents[0].id;
  for (let state = 'uploaded'; state !== 'ocr_completed';) {
    await harness.services.documents.textReading.readAll(new AbortController().signal);
    state = (await harness.admin.get<Document>(`./documents/${document}`)).body.state;
  }
  const prompt = (await harness.admin.post<Prompt>('./prompts', { name: 'p', content: 'Total?' })).body;
  const { status } = await harness.admin.post(`./documents/${document}/extractions`, {
    prompt_revid: prompt.prompt_revid,
  });
  expect(status).toBe(201);
  return { document, prompt, url: `./documents/${document}/extractions/${prompt.prompt_revid}` };
}

const read = async (url: string) => (await harness.admin.get<Extraction>(url)).body;
const edit = (url: string, value: string, base_version: number) =>
  harness.admin.patch<Extraction>(url, { path: 'total', value, base_version });
const verify = (url: string) => harness.admin.put<Extraction>(`${url}/verification`, { is_verified: true });
const rerun = (url: string, body: object = {}) => {
  const [, , document, , prompt_revid] = url.split('/');
  return harness.admin.post<Extraction>(`./documents/${document}/extractions`, { prompt_revid, ...body });
};

describe('what a person made right', () => {
  it('is replaced over the API only where the request names it, and stays among the versions', async () => {
    const { url } = await extracted();
    const first = await read(url);
    expect((await rerun(url)).status).toBe(201);
    await edit(url, 'mine', 2);
    const refused = await rerun(url);
    expect([refused.status, refused.error?.code]).toEqual([409, 'result_edited']);
    expect(refused.error?.message).toContain('replace: "edited"');
    await verify(url);
    expect((await rerun(url, { replace: 'edited' })).error?.code).toBe('result_verified');
    expect(await read(url)).toMatchObject({ version: 3, result: { total: 'mine' }, is_verified: true });
    expect((await rerun(url, { replace: 'verified' })).body).toMatchObject({ version: 4, is_verified: false });

    const { versions, total_count } = (await harness.admin.get<ExtractionVersionList>(`${url}/versions`)).body;
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
      author: { kind: 'person', user_id: harness.admin.actor.userId, origin: { kind: 'api' } },
    });
    const page = await harness.admin.get<ExtractionVersionList>(`${url}/versions?skip=1&limit=2`);
    expect(page.body.versions.map(({ version }) => version)).toEqual([3, 2]);
    const one = await harness.admin.get<ExtractionVersion>(`${url}/versions/1`);
    expect(one.body).toMatchObject({ result: first.result, grounding: first.grounding });
    expect((await harness.admin.get(`${url}/versions/9`)).error?.code).toBe('version_not_found');

    const restored = await harness.admin.post<Extraction>(`${url}/versions/3/restore`, {});
    expect([restored.status, restored.body]).toEqual([
      200,
      expect.objectContaining({ version: 5, result: { total: 'mine' }, is_edited: true, is_verified: true }),
    ]);
    expect((await harness.admin.get<ExtractionVersion>(`${url}/versions/5`)).body).toMatchObject({
      action: 'restored',
      restored_from: 3,
      is_current: true,
    });
    const viewer = await harness.addPerson('viewer');
    expect((await viewer.post(`${url}/versions/1/restore`, {})).status).toBe(403);
    const stranger = await harness.addOrganization();
    expect((await stranger.get(`${url}/versions`)).status).toBe(404);
  });

  it('is asked about in a chat, whatever approves by itself, and replaced by a person who saw what would go', async () => {
    const { document, prompt, url } = await extracted();
    await edit(url, 'mine', 1);
    const wide = { tool: 'run_*', effect: 'allow', scope: 'document', document_id: document };
    await harness.admin.post('./permission_rules', wide);
    const chat = `./documents/${document}/chat`;
    const call = { calls: [{ name: 'run_extraction', args: { prompt_revid: prompt.prompt_revid } }] };
    calls = [call];
    const said = { messages: [{ role: 'user', content: 'Again' }], auto_approved_tools: ['run_extraction'] };
    const { body } = await harness.admin.post<TurnAnswer>(chat, said);
    expect(body.status).toBe('awaiting_approval');
    expect(body.tool_calls[0]?.preview).toMatchObject({
      kind: 'replace',
      version: 2,
      edited_count: 1,
      edited_values: [{ path: 'total', edited_value: 'mine' }],
    });
    const approvals = [{ call_id: body.tool_calls[0]!.id, approved: true }];
    const after = await harness.admin.post<TurnAnswer>(`${chat}/approve`, { turn_id: body.turn_id, approvals });
    expect(after.body.executed_rounds[0]?.tool_calls[0]).toMatchObject({ success: true });
    expect(await read(url)).toMatchObject({ version: 3, is_edited: false });
    const { versions } = (await harness.admin.get<ExtractionVersionList>(`${url}/versions`)).body;
    expect(versions.map(({ author }) => author?.kind)).toEqual(['chat', 'person', 'person']);

    // A rule that looks at the argument covers it.
    await verify(url);
    await harness.admin.post('./permission_rules', { ...wide, when: { path: 'replace', equals: 'verified' } });
    calls = [{ calls: [{ name: 'run_extraction', args: { prompt_revid: prompt.prompt_revid, replace: 'verified' } }] }];
    expect((await harness.admin.post<TurnAnswer>(chat, said)).body.status).toBe('completed');
    expect(await read(url)).toMatchObject({ version: 4, is_verified: false });
  });

  it('is skipped by schedules, which count it, unless they say otherwise', async () => {
    const { prompt, url } = await extracted();
    await verify(url);
    const made = async (more: object) =>
      (
        await harness.admin.post<Schedule>('./schedules', {
          name: 's',
          every: '1d',
          action: 'run_extraction',
          prompt_id: prompt.prompt_id,
          ...more,
        })
      ).body;
    expect((await made({})).filter).toEqual({ without_result: true });
    const schedule = await made({ filter: { without_result: false }, max_documents: 1000 });
    const ended = async (id: string) => {
      const started = (await harness.admin.post<Run>(`./schedules/${id}/run`, {})).body;
      for (;;) {
        const { body } = await harness.admin.get<Run>(`./runs/${started.id}`);
        if (body.ended_at !== null) return body;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    const run = await ended(schedule.id);
    expect(run).toMatchObject({ state: 'completed', skipped: 1, failed: 0 });
    expect(run.succeeded).toBe(run.total - 1);
    const { documents } = (
      await harness.admin.get<{ documents: unknown[] }>(`./runs/${run.id}/documents?state=skipped`)
    ).body;
    expect(documents).toMatchObject([{ state: 'skipped', error: { code: 'result_verified' } }]);
    expect(await read(url)).toMatchObject({ version: 1, is_verified: true });

    // And by a bulk job, which has no way to say otherwise.
    const bulk = { query: {}, action: 'extract', prompt_id: prompt.prompt_id };
    const asked = (await harness.admin.post<DocumentBulk>('./documents/bulk', bulk)).body;
    const job = async () => (await harness.admin.get<DocumentBulk>(`./documents/bulk/${asked.id}`)).body;
    await expect.poll(async () => (await job()).state, { timeout: 20_000 }).toBe('completed');
    expect(await job()).toMatchObject({ skipped: 1, failed: 0, done: asked.total });
    expect(await read(url)).toMatchObject({ version: 1, is_verified: true });

    const replacing = await made({ filter: { without_result: false }, replace: 'verified' });
    expect(await ended(replacing.id)).toMatchObject({ skipped: 0 });
    const { versions } = (await harness.admin.get<ExtractionVersionList>(`${url}/versions`)).body;
    expect(versions[0]).toMatchObject({
      version: 2,
      author: { kind: 'run', origin: { kind: 'schedule', id: replacing.id } },
    });
    expect(versions[1]).toMatchObject({ version: 1, is_verified: true });
  });

  it('is skipped and counted by a run of the agent, unless that wrote something else', async () => {
    const { document, prompt, url } = await extracted();
    const extraction = { name: 'run_extraction', args: { prompt_revid: prompt.prompt_revid } };
    const run = async (script: { name: string; args: Record<string, unknown> }[]) => {
      calls = [{ calls: script }];
      const auto_approved_tools = ['run_extraction', 'create_tag'];
      const body = { document_ids: [document], message: 'Again', auto_approved_tools };
      const { id } = (await harness.admin.post<Run>('./runs', body)).body;
      const ended = async () => (await harness.admin.get<Run>(`./runs/${id}`)).body;
      await expect.poll(async () => (await ended()).ended_at, { timeout: 20_000 }).not.toBeNull();
      return await ended();
    };
    const skipped = async (id: string) =>
      (await harness.admin.get<{ documents: unknown[] }>(`./runs/${id}/documents?state=skipped`)).body.documents;
    await edit(url, 'mine', 1);
    const first = await run([extraction]);
    expect(first).toMatchObject({ state: 'completed', skipped: 1, succeeded: 0, failed: 0 });
    expect(await skipped(first.id)).toMatchObject([{ document_id: document, error: { code: 'result_edited' } }]);
    await verify(url);
    const second = await run([extraction]);
    expect(await skipped(second.id)).toMatchObject([{ error: { code: 'result_verified' } }]);
    const tag = { name: 'create_tag', args: { name: 'Seen again' } };
    expect(await run([tag, extraction])).toMatchObject({ skipped: 0, succeeded: 1 });
    expect(await read(url)).toMatchObject({ version: 2, result: { total: 'mine' }, is_verified: true });
    expect((await harness.admin.get<Document>(`./documents/${document}`)).body.state).toBe('llm_completed');
  });
});

/** Large form: RERUNS=1000. */
const reruns = Number(process.env['RERUNS'] ?? 24);
/** Half of them verified, half edited. */
const keptDocuments = reruns >= 100 ? 6 : 2;
const ways = ['api', 'chat', 'auto_approve', 'run', 'schedule', 'mcp'] as const;
/** What a model may ask for; nothing that approves by itself covers it. */
const levels = [undefined, 'unreviewed', 'edited', 'verified'] as const;

async function endOfRun({ id }: Run): Promise<Run> {
  for (;;) {
    const { body } = await harness.admin.get<Run>(`./runs/${id}`);
    if (body.ended_at !== null) return body;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A schedule over one document alone, whether it has a result or not. */
async function scheduleFor(document: string, prompt_id: string, name: string): Promise<string> {
  const { tag_id } = (await harness.admin.post<Tag>('./tags', { name })).body;
  await harness.admin.patch(`./documents/${document}`, { tag_ids: [tag_id] });
  const filter = { tag_ids: [tag_id], without_result: false };
  const body = { name, every: '1d', action: 'run_extraction', prompt_id, filter };
  return (await harness.admin.post<Schedule>('./schedules', body)).body.id;
}

it(
  `keeps every verified and every edited result over ${reruns} re-runs by every way`,
  { timeout: 600_000 },
  async () => {
    const rule = { tool: 'run_*', effect: 'allow', scope: 'organization' };
    await harness.admin.post('./permission_rules', rule);
    const kept = await Promise.all(Array.from({ length: keptDocuments }, extracted));
    const schedules: string[] = [];
    for (const [at, { document, prompt, url }] of kept.entries()) {
      await (at % 2 === 0 ? verify(url) : edit(url, `mine ${at}`, 1));
      schedules.push(await scheduleFor(document, prompt.prompt_id, `kept ${at}`));
    }
    const before = await Promise.all(kept.map(({ url }) => read(url)));
    const outcomes: Record<string, number> = {};
    for (let at = 0; at < reruns; at += 1) {
      const which = at % kept.length;
      const { document, prompt, url } = kept[which]!;
      const { prompt_revid } = prompt;
      const replace = levels[(at + Math.floor(at / (kept.length * ways.length))) % levels.length];
      const args = { prompt_revid, ...(replace && { replace }) };
      const way = ways[Math.floor(at / kept.length) % ways.length]!;
      outcomes[way] = (outcomes[way] ?? 0) + 1;
      if (way === 'api') expect((await rerun(url)).status).toBe(409);
      else if (way === 'run') {
        calls = [{ calls: [{ name: 'run_extraction', args }] }];
        const body = { document_ids: [document], message: 'Again', auto_approved_tools: ['run_extraction'] };
        const started = (await harness.admin.post<Run>('./runs', body)).body;
        expect(await endOfRun(started)).toMatchObject({ skipped: 1, succeeded: 0, failed: 0 });
      } else if (way === 'schedule') {
        const started = (await harness.admin.post<Run>(`./schedules/${schedules[which]}/run`, {})).body;
        expect(await endOfRun(started)).toMatchObject({ matched: 1, skipped: 1, failed: 0 });
      } else if (way === 'mcp') {
        const call = {
          name: 'run_extraction',
          arguments: JSON.stringify(args),
          program: 'A program',
          via: 'mcp' as const,
        };
        const { answer } = await harness.services.chat.programCalls.start(harness.admin.actor, {
          ...call,
          documentId: document,
          areOfDocument: true,
        });
        expect((await answer).status).toBe('awaiting_approval');
      } else {
        calls = [{ calls: [{ name: 'run_extraction', args }] }];
        const approving =
          way === 'chat' ? { auto_approved_tools: ['run_extraction'] } : { auto_approve: true, stream: true };
        const said = { messages: [{ role: 'user', content: 'Again' }], ...approving };
        await harness.admin.post(`./documents/${document}/chat`, said);
      }
    }
    expect(await Promise.all(kept.map(({ url }) => read(url)))).toEqual(before);
    expect(Object.keys(outcomes)).toHaveLength(ways.length);
  },
);
