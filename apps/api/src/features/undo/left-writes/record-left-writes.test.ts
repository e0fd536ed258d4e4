import type { AuditEntry, Document, Extraction, Task } from '@docwright/contract';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { format, startUndoTestBench, uniqueName, type UndoTestBench } from '../../../testing/undo-test-bench.ts';
import { turnWriteModel } from '../../../turn-writes/turn-write-model.ts';
import { auditEntryModel } from '../../audit/audit-model.ts';
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
async function killBeforeEntry(request: () => Promise<{ status: number }>): Promise<void> {
  const killed = vi.spyOn(auditEntryModel(bench.connection), 'insertMany').mockRejectedValueOnce(new Error('killed'));
  expect((await request()).status).toBe(500);
  killed.mockRestore();
}

it('records what was written before the server was killed, and undoes it', async () => {
  const { admin } = bench;
  const [tag, schema, prompt] = [await bench.newTag(), await bench.newSchema(), await bench.newPrompt()];
  const [renamed, removed] = [await bench.readDocument(), await bench.readDocument()];
  const tasks = `/api/v1/${admin.userId}/tasks`;
  const { body: task } = await admin.post<Task>(tasks, { title: 'Call' });
  const result = `./documents/${renamed.id}/extractions/${prompt.prompt_revid}`;
  bench.script({ text: '{"total":"1"}' });
  await admin.post(`./documents/${renamed.id}/extractions`, { prompt_revid: prompt.prompt_revid });
  const { version } = (await admin.get<Extraction>(result)).body;
  const put = (path: string, payload: object) => admin.request('PUT', path, { payload });
  const writes: Record<string, () => Promise<{ status: number }>> = {
    create_tag: () => admin.post('./tags', { name: uniqueName('left') }),
    update_tag: () => put(`./tags/${tag.tag_id}`, { description: 'left' }),
    update_schema: () => put(`./schemas/${schema.schema_id}`, { response_format: format('left') }),
    verify_extraction: () => put(`${result}/verification`, { is_verified: true, base_version: version }),
    delete_prompt: () => admin.request('DELETE', `./prompts/${prompt.prompt_id}`),
    update_document: () => admin.patch<Document>(`./documents/${renamed.id}`, { document_name: 'left.txt' }),
    delete_document: () => admin.request('DELETE', `./documents/${removed.id}`),
    update_task: () => put(`${tasks}/${task.id}`, { title: 'Write' }),
  };
  await sweep();
  const before = await entries();
  for (const write of Object.values(writes)) await killBeforeEntry(write);
  expect(await entries()).toEqual(before);

  await Promise.all([sweep(), sweep()]);
  const left = (await entries()).slice(0, -before.length);
  expect(left.map(({ tool }) => tool).toReversed()).toEqual(Object.keys(writes));
  expect(left[1]).toMatchObject({ kind: 'executed', actor: admin.userId, document_id: removed.id, success: true });
  expect(JSON.parse(left[2]!.arguments)).toEqual({ document_id: renamed.id, document_name: 'left.txt' });
  expect(await due()).toBe(0);
  for (const { id, tool } of left)
    expect([tool, (await admin.post(`./audit/${id}/undo`, {})).status]).toEqual([tool, 200]);
  expect((await admin.get<Document>(`./documents/${renamed.id}`)).body.document_name).toBe('note.txt');
  expect(await bench.statusOf(`./documents/${removed.id}`)).toBe(200);
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
  const writtenBy = vi.fn<(callId: string) => Promise<object>>(async () => {
    ending.abort();
    return {};
  });
  const recordLeft = createRecordLeftWrites({
    unrecorded: {
      async *notedBefore() {
        yield notes as never;
      },
      settle,
    },
    auditOf: () => ({ record, executed: async () => new Set() }),
    recordsOf: { tag: () => ({ writtenBy }) } as never,
    log: { error: () => undefined },
  });
  await recordLeft(ending.signal);
  expect(writtenBy.mock.calls).toEqual([['a']]);
  expect(record).toHaveBeenCalledOnce();
  expect(settle.mock.calls).toEqual([[[notes[0]]]]);
});
