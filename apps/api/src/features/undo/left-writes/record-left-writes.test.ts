import type { AuditEntry, Document, DocumentBulk, Extraction, Run, Task } from '@docwright/contract';
import { buildPdf, line } from '@docwright/documents/testing';
import { lockedPdf } from '@docwright/documents/testing/locked-pdf';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { format, startUndoTestBench, uniqueName, type UndoTestBench } from '../../../testing/undo-test-bench.ts';
import { turnWriteModel } from '../../../turn-writes/turn-write-model.ts';
import { auditEntryModel } from '../../audit/audit-model.ts';
import { listDeclaredTools } from '../../audit/declared-writes.ts';
import { bulkModel } from '../../document-bulk/bulk-model.ts';
import { tagModel } from '../../tags/tag-model.ts';
import { createRecordLeftWrites } from './record-left-writes.ts';

let bench: UndoTestBench;
beforeAll(async () => {
  bench = await startUndoTestBench();
});
afterAll(async () => bench.stop());

const entries = async () =>
  (await bench.admin.get<{ entries: AuditEntry[] }>('./audit?limit=100&origin=api')).body.entries;
/** As the next start, or another process. */
const sweep = () => bench.services.recordLeftWrites(undefined, 0);
const due = () => turnWriteModel(bench.connection).countDocuments({ unrecorded_since: { $exists: true } });

/** The server ends after the write, before its entry. */
async function killBeforeEntry(request: () => Promise<{ status: number; text: string }>): Promise<void> {
  const killed = vi.spyOn(auditEntryModel(bench.connection), 'insertMany').mockRejectedValueOnce(new Error('killed'));
  const answer = await request();
  killed.mockRestore();
  expect(answer.status, answer.text).toBe(500);
}

/** Every declared write, in an order in which each can be sent. A new one that is not noted gets no entry here. */
async function allWrites(): Promise<[tool: string, send: () => Promise<{ status: number; text: string }>][]> {
  const { admin, services } = bench;
  const [tag, schema, prompt] = [await bench.newTag(), await bench.newSchema(), await bench.newPrompt()];
  const [unusedTag, unusedSchema, unusedPrompt] = [
    await bench.newTag(),
    await bench.newSchema(),
    await bench.newPrompt(),
  ];
  const tasks = `/api/v1/${admin.userId}/tasks`;
  const { body: task } = await admin.post<Task>(tasks, { title: 'Call' });
  const upload = async (name: string, bytes: Uint8Array) =>
    (
      await admin.post<{ documents: Document[] }>('./documents', {
        documents: [{ name, content: Buffer.from(bytes).toString('base64') }],
      })
    ).body.documents[0]!.id;
  const page = (text: string) => ({ content: line(text, 50, 700) });
  const ids = {
    renamed: await upload('left.txt', Buffer.from('Total: 1')),
    purged: await upload('purged.txt', Buffer.from('Total: 3')),
    removed: await upload('removed.txt', Buffer.from('Total: 2')),
    pages: await upload('pages.pdf', buildPdf({ pages: [page('Invoice A'), page('Invoice B')] })),
    locked: await upload('locked.pdf', lockedPdf('Total 4', 'secret')),
  };
  await services.documents.textReading.readAll(new AbortController().signal);
  const put = (path: string, payload: object) => admin.request('PUT', path, { payload });
  const remove = (path: string) => admin.request('DELETE', path);
  await remove(`./documents/${ids.purged}`);
  const results = `./documents/${ids.renamed}/extractions`;
  const result = `${results}/${prompt.prompt_revid}`;
  const version = async () => (await admin.get<Extraction>(result)).body.version;
  const bulk = { action: 'untag', document_ids: [ids.renamed], tag_ids: [tag.tag_id] };
  const newestBulk = async () => {
    const { body } = await admin.get<{ bulk_jobs: DocumentBulk[] }>('./documents/bulk?limit=1');
    return `./documents/bulk/${body.bulk_jobs[0]!.id}`;
  };
  const backfill = `./prompts/${prompt.prompt_id}/backfill`;
  return [
    ['create_tag', () => admin.post('./tags', { name: uniqueName('left') })],
    ['update_tag', () => put(`./tags/${tag.tag_id}`, { description: 'left' })],
    ['delete_tag', () => remove(`./tags/${unusedTag.tag_id}`)],
    ['create_schema', () => admin.post('./schemas', { name: uniqueName('left'), response_format: format('a') })],
    ['update_schema', () => put(`./schemas/${schema.schema_id}`, { response_format: format('left') })],
    ['delete_schema', () => remove(`./schemas/${unusedSchema.schema_id}`)],
    ['create_prompt', () => admin.post('./prompts', { name: uniqueName('left'), content: 'Total?' })],
    ['update_prompt', () => put(`./prompts/${unusedPrompt.prompt_id}`, { content: 'left' })],
    ['delete_prompt', () => remove(`./prompts/${unusedPrompt.prompt_id}`)],
    ['add_task', () => admin.post(tasks, { title: 'Left' })],
    ['update_task', () => put(`${tasks}/${task.id}`, { title: 'Write' })],
    ['delete_task', () => remove(`${tasks}/${task.id}`)],
    ['upload_document', () => admin.post('./documents', { documents: [{ name: 'a.txt', content: 'QQ==' }] })],
    ['update_document', () => admin.patch(`./documents/${ids.renamed}`, { document_name: 'other.txt' })],
    ['unlock_document', () => admin.post(`./documents/${ids.locked}/password`, { password: 'secret' })],
    ['split_document', () => admin.post(`./documents/${ids.pages}/split`, { parts: [{ name: 'A', pages: [[1, 1]] }] })],
    ['delete_document', () => remove(`./documents/${ids.removed}`)],
    ['restore_document', () => admin.post(`./documents/${ids.removed}/restore`, {})],
    [
      'run_extraction',
      () => {
        bench.script({ text: '{"total":"1"}' });
        return admin.post(results, { prompt_revid: prompt.prompt_revid });
      },
    ],
    ['release_result', async () => admin.post(`${result}/release`, { version: await version() })],
    [
      'update_extraction_field',
      async () => admin.patch(result, { path: 'total', value: '2', base_version: await version() }),
    ],
    [
      'verify_extraction',
      async () => put(`${result}/verification`, { is_verified: true, base_version: await version() }),
    ],
    ['backfill', () => admin.post(backfill, { sample: 1 })],
    [
      'review_values',
      async () => {
        const place = { document_id: ids.renamed, prompt_revid: prompt.prompt_revid, version: await version() };
        return admin.post('./review/decide', {
          decisions: [{ ...place, path: 'total', action: 'correct', value: '3' }],
        });
      },
    ],
    ['restore_extraction', async () => admin.post(`${result}/versions/1/restore`, { base_version: await version() })],
    ['bulk_change', () => admin.post('./documents/bulk', bulk)],
    ['stop_bulk_change', async () => admin.post(`${await newestBulk()}/stop`, {})],
    [
      'undo_bulk_change',
      async () => {
        await services.bulk.work.work(new AbortController().signal);
        return admin.post(`${await newestBulk()}/undo`, {});
      },
    ],
    ['backfill', () => admin.post(backfill, { filter: { name_search: 'locked' }, confirm: { extractions: 1 } })],
    ['purge_document', () => remove(`./documents/trash/${ids.purged}`)],
  ];
}

it('records every write that the server was killed after', async () => {
  const writes = await allWrites();
  const tools = writes.map(([tool]) => tool);
  expect([...new Set(tools)].toSorted((a, b) => a.localeCompare(b))).toEqual(listDeclaredTools());
  const unnoted: string[] = [];
  for (const [tool, send] of writes) {
    await sweep();
    const before = await entries();
    await killBeforeEntry(send);
    await Promise.all([sweep(), sweep()]);
    const left = (await entries()).filter(({ id }) => before.every((entry) => entry.id !== id));
    if (left.length !== 1 || left[0]!.tool !== tool) unnoted.push(tool);
  }
  expect(unnoted).toEqual([]);
  expect(await due()).toBe(0);
});

/** A bulk job that is a run, which no worker has claimed. */
async function bulkRun(): Promise<string> {
  const [{ id }, { prompt_id }] = [await bench.readDocument(), await bench.newPrompt()];
  const body = { action: 'extract', document_ids: [id], prompt_id };
  return `./documents/bulk/${(await bench.admin.post<DocumentBulk>('./documents/bulk', body)).body.id}`;
}

it('records a stop or undo of a run that was made, and none that was refused', async () => {
  const job = await bulkRun();
  const before = await entries();
  const refused = await bench.admin.post(`${job}/undo`, {});
  expect(refused.error?.code).toBe('run_not_ended');
  await sweep();
  expect([await entries(), await due()]).toEqual([before, 0]);
  await killBeforeEntry(() => bench.admin.post(`${job}/stop`, {}));
  await sweep();
  const left = (await entries()).slice(0, -before.length);
  expect(left).toMatchObject([{ tool: 'stop_bulk_change', success: true }]);
});

it('records a bulk job whose run works, although its job was not stored', async () => {
  const [{ id }, { prompt_id }] = [await bench.readDocument(), await bench.newPrompt()];
  const killed = vi.spyOn(bulkModel(bench.connection), 'create').mockRejectedValueOnce(new Error('killed'));
  const body = { action: 'extract', document_ids: [id], prompt_id };
  expect((await bench.admin.post('./documents/bulk', body)).status).toBe(500);
  killed.mockRestore();
  await sweep();
  const [left] = await entries();
  const { run_id } = JSON.parse(left!.arguments) as { run_id: string };
  expect(left).toMatchObject({ tool: 'bulk_change', success: true });
  expect((await bench.admin.get<Run>(`./runs/${run_id}`)).body).toMatchObject({ id: run_id, ended_at: null });
});

it('undoes a write whose entry came later', async () => {
  const { id } = await bench.readDocument();
  await killBeforeEntry(() => bench.admin.patch<Document>(`./documents/${id}`, { document_name: 'left.txt' }));
  await sweep();
  const [left] = await entries();
  expect(left).toMatchObject({
    kind: 'executed',
    tool: 'update_document',
    actor: bench.admin.userId,
    document_id: id,
    success: true,
  });
  expect(JSON.parse(left!.arguments)).toEqual({ document_id: id, document_name: 'left.txt' });
  expect((await bench.admin.post(`./audit/${left!.id}/undo`, {})).status).toBe(200);
  expect((await bench.admin.get<Document>(`./documents/${id}`)).body.document_name).toBe('note.txt');
});

it('records no write that was never made, and forgets it', async () => {
  const tag = await bench.newTag();
  await sweep();
  const before = await entries();
  const killed = vi.spyOn(tagModel(bench.connection), 'updateOne').mockImplementationOnce(() => {
    throw new Error('killed');
  });
  const payload = { description: 'never there' };
  expect((await bench.admin.request('PUT', `./tags/${tag.tag_id}`, { payload })).status).toBe(500);
  killed.mockRestore();
  await sweep();
  expect([await entries(), await due()]).toEqual([before, 1]);
  const longAgo = new Date(Date.now() - 3_600_000);
  await turnWriteModel(bench.connection).updateMany(
    { unrecorded_since: { $exists: true } },
    { $set: { unrecorded_since: longAgo } },
  );
  await sweep();
  expect([await entries(), await due()]).toEqual([before, 0]);
});

it('goes on after notes that are damaged', async () => {
  await killBeforeEntry(() => bench.admin.post('./tags', { name: uniqueName('left') }));
  const model = turnWriteModel(bench.connection);
  const note = (await model.findOne({ unrecorded_since: { $exists: true } }).lean())!;
  const unrecorded_since = new Date(1);
  const damaged = [{ organization_id: 'damaged' }, { kind: 'damaged' }, { audit_entry: '{' }, { audit_entry: null }];
  for (const [index, fields] of damaged.entries()) {
    const { _id: _, ...copy } = note;
    await model.collection.insertOne({ ...copy, call_id: `damaged-${index}`, unrecorded_since, ...fields });
  }
  const before = await entries();
  await sweep();
  expect((await entries()).slice(0, -before.length)).toMatchObject([{ tool: 'create_tag', call_id: note.call_id }]);
  expect(await due()).toBe(0);
});

it('notes long arguments truncated, as the log has them', async () => {
  const { prompt_id } = await bench.newPrompt();
  const change = (content: string) =>
    bench.admin.request('PUT', `./prompts/${prompt_id}`, {
      payload: { content, description: 'postgres://a:secret@b' },
    });
  const long = 'word '.repeat(20_000);
  await change(long);
  const [usual] = await entries();
  await change('short');
  await killBeforeEntry(() => change(long));
  const note = await turnWriteModel(bench.connection).findOne({ tool: 'update_prompt' }).sort({ at: -1 }).lean();
  expect(note!.audit_entry!.length).toBeLessThan(6_000);
  await sweep();
  const [left] = await entries();
  expect(left!.id).not.toBe(usual!.id);
  expect(left).toEqual({ ...usual, id: left!.id, at: left!.at, call_id: note!.call_id });
});

it('ends between two notes, and gives up none that it has not looked at', async () => {
  const ending = new AbortController();
  const notes = ['a', 'b'].map((call_id) => ({
    call_id,
    kind: 'tag',
    organization_id: 'one',
    audit_entry: JSON.stringify({ callId: call_id }),
    unrecorded_since: new Date(1),
  }));
  const record = vi.fn<(recorded: readonly unknown[]) => Promise<void>>(async () => undefined);
  const settle = vi.fn<(settled: readonly unknown[]) => Promise<void>>(async () => undefined);
  const wasMade = vi.fn<(organizationId: string, note: { call_id: string }) => Promise<boolean>>(async () => {
    ending.abort();
    return true;
  });
  const recordLeft = createRecordLeftWrites({
    unrecorded: {
      async *notedBefore() {
        yield notes as never;
      },
      settle,
    },
    auditOf: () => ({ record, executed: async () => new Set() }),
    wasMade: { tag: wasMade } as never,
    log: { error: () => undefined },
  });
  await recordLeft(ending.signal);
  expect(wasMade.mock.calls.map(([, { call_id }]) => call_id)).toEqual(['a']);
  expect(record).toHaveBeenCalledOnce();
  expect(settle.mock.calls).toEqual([[[notes[0]]]]);
});
