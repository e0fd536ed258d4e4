import type {
  AuditEntry,
  Document,
  Extraction,
  ExtractionVersionList,
  Tag,
  Task,
  TurnAnswer,
} from '@docwright/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { extractionModel } from '../extractions/index.ts';
import { turnWriteModel } from '../../turn-writes/turn-write-model.ts';
import { decideAll, userMessage } from '../../testing/chat-test-bench.ts';
import { startUndoTestBench, type UndoTestBench } from '../../testing/undo-test-bench.ts';

let bench: UndoTestBench;
beforeAll(async () => {
  bench = await startUndoTestBench();
});
afterAll(async () => bench.stop());

/** Text that hardly gets shorter when it is compressed. */
const long = Array.from({ length: 4_000 }, (_, at) => ((at * 2_654_435_761) % 4_294_967_296).toString(36)).join(' ');

async function extracted() {
  const { id } = await bench.readDocument();
  const { prompt_revid } = await bench.newPrompt();
  const url = `./documents/${id}/extractions/${prompt_revid}`;
  bench.script({ text: JSON.stringify({ total: '1', note: long, rows: [{ amount: 1.5, unit: 'kg' }] }) });
  await bench.admin.post(`./documents/${id}/extractions`, { prompt_revid });
  return { id, url };
}
const read = async (url: string) => (await bench.admin.get<Extraction>(url)).body;
const verify = (url: string, is_verified = true) => bench.admin.put<Extraction>(`${url}/verification`, { is_verified });
const edit = (url: string, path: string, value: unknown, base_version: number) =>
  bench.admin.patch<Extraction>(url, { path, value, base_version });
const newest = async () => (await bench.admin.get<{ entries: AuditEntry[] }>('./audit?limit=1')).body.entries[0]!;
const undo = async (entry: AuditEntry) => (await bench.admin.post(`./audit/${entry.id}/undo`, {})).status;
const noted = async ({ call_id }: AuditEntry) => (await turnWriteModel(bench.connection).findOne({ call_id }).lean())!;
const versionsOf = async (url: string) =>
  (await bench.admin.get<ExtractionVersionList>(`${url}/versions`)).body.total_count;

it('notes of a change of verification only what it changes, and its undo makes no version', async () => {
  const { url } = await extracted();
  expect((await verify(url)).body.is_verified).toBe(true);
  const verified = await newest();
  expect((await noted(verified)).before.length).toBeLessThan(300);
  expect(await undo(verified)).toBe(200);
  expect(await read(url)).toMatchObject({ version: 1, is_verified: false, release: { state: 'withdrawn' } });
  expect(await versionsOf(url)).toBe(1);

  await verify(url);
  await verify(url, false);
  const withdrawn = await newest();
  expect(await undo(withdrawn)).toBe(200);
  expect(await read(url)).toMatchObject({ version: 1, is_verified: true, result: { total: '1' } });
});

it('notes of a new version the number of the one before, which is stored already', async () => {
  const { url } = await extracted();
  await verify(url);
  await edit(url, 'total', '2', 1);
  const edited = await newest();
  expect((await noted(edited)).before.length).toBeLessThan(300);
  expect(await undo(edited)).toBe(200);
  expect(await read(url)).toMatchObject({ version: 3, result: { total: '1', note: long }, is_verified: true });
});

it('undoes what a former release has noted as a whole', async () => {
  const { url } = await extracted();
  const record = (await extractionModel(bench.connection).findOne({}).sort({ _id: -1 }).lean())!;
  await edit(url, 'total', '2', 1);
  const edited = await newest();
  const { prompt_id, schema_revid, result, original_result, grounding, validation_errors, issues } = record;
  const { is_edited, is_verified, model, usage, review_facts } = record;
  const content = { prompt_id, schema_revid, result, original_result, grounding, validation_errors, issues };
  const former = { ...content, is_edited, is_verified, model, usage, review_facts };
  const before = JSON.stringify({ ...former, created_at: record.created_at.toISOString() });
  await turnWriteModel(bench.connection).updateOne({ call_id: edited.call_id }, { $set: { before } });
  expect(await undo(edited)).toBe(200);
  expect(await read(url)).toMatchObject({ version: 3, result: { total: '1' }, is_edited: false });
});

it('makes no version and withdraws no verification for a value that stands already', async () => {
  const { url } = await extracted();
  await verify(url);
  for (const [path, value] of [
    ['total', '1'],
    ['rows.0.amount', 1.5],
    ['rows.0', { unit: 'kg', amount: 1.5 }],
    ['rows', [{ amount: 1.5, unit: 'kg' }]],
  ] as const) {
    expect((await edit(url, path, value, 1)).body).toMatchObject({ version: 1, is_verified: true });
  }
  expect((await verify(url)).body).toMatchObject({ version: 1, is_verified: true });
  const [, , document_id, , prompt_revid] = url.split('/');
  const place = { document_id, prompt_revid, version: 1 };
  const corrected = {
    decisions: [{ ...place, path: 'rows', action: 'correct', value: [{ amount: 1.5, unit: 'kg' }], seen: true }],
  };
  expect((await bench.admin.post('./review/decide', corrected)).status).toBe(200);
  expect((await read(url)).version).toBe(1);
  expect((await bench.admin.post<Extraction>(`${url}/versions/1/restore`, {})).body.version).toBe(1);
  expect(await versionsOf(url)).toBe(1);
  // Another type or another number is a change.
  expect((await edit(url, 'rows.0.amount', '1.5', 1)).body).toMatchObject({ version: 2, is_verified: false });
  expect((await edit(url, 'rows.0.amount', 1.5000000000000002, 2)).body.version).toBe(3);
});

it('restores a former version that equals the current one only once', async () => {
  const { url } = await extracted();
  await edit(url, 'total', '2', 1);
  const restore = async () => (await bench.admin.post<Extraction>(`${url}/versions/1/restore`, {})).body.version;
  expect([await restore(), await restore(), await versionsOf(url)]).toEqual([3, 3, 3]);
});

it('notes nothing for documents, tags and tasks that get what they have', async () => {
  const { id } = await bench.readDocument();
  const tag = await bench.newTag();
  const metadata = { note: long, nested: { a: 1, b: [2] } };
  const { body } = await bench.admin.patch<Document>(`./documents/${id}`, { metadata, tag_ids: [tag.tag_id] });
  const tasks = `/api/v1/${bench.admin.userId}/tasks`;
  const task = (await bench.admin.post<Task>(tasks, { title: 'Pay' })).body;
  const notes = async () => await turnWriteModel(bench.connection).countDocuments({});
  const before = await notes();
  const same = { metadata: { nested: { b: [2], a: 1 }, note: long }, tag_ids: [tag.tag_id] };
  expect((await bench.admin.patch<Document>(`./documents/${id}`, same)).body).toEqual(body);
  const named = { document_name: body.document_name, set_metadata: { nested: { a: 1, b: [2] } } };
  expect((await bench.admin.patch<Document>(`./documents/${id}`, named)).body).toEqual(body);
  expect((await bench.admin.put<Tag>(`./tags/${tag.tag_id}`, { name: tag.name })).body).toEqual(tag);
  expect((await bench.admin.put<Task>(`${tasks}/${task.id}`, { title: 'Pay' })).body).toEqual(task);
  expect(await notes()).toBe(before);
});

it('says how a release is taken back, which is no note', async () => {
  const { url } = await extracted();
  expect((await bench.admin.post(`${url}/release`, { version: 1 })).status).toBe(200);
  const entry = await newest();
  expect(entry.tool).toBe('release_result');
  const { status, error } = await bench.admin.post(`./audit/${entry.id}/undo`, {});
  expect([status, error?.code]).toEqual([409, 'not_undoable']);
  expect(error?.message).toContain('Withdraw the verification of the result');
});

it('says so of a turn that has only released', async () => {
  const { id, url } = await extracted();
  const chat = `./documents/${id}/chat`;
  const prompt_revid = url.split('/').at(-1)!;
  bench.script({ calls: [{ name: 'release_result', args: { prompt_revid, version: 1 } }] }, { text: 'Done.' });
  const turn = (await bench.admin.post<TurnAnswer>(chat, userMessage('Release it'))).body;
  await bench.admin.post(`${chat}/approve`, decideAll(turn, true));
  expect(await read(url)).toMatchObject({ release: { state: 'released' } });
  const { status, error } = await bench.undo(chat, turn);
  expect([status, error?.code]).toEqual([409, 'not_undoable']);
  expect(error?.message).toContain('Withdraw the verification of the result');
});
