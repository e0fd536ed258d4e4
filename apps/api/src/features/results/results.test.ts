import { parseDocument } from '@docwright/documents';
import type { Prompt, ResultPage, ResultSummary, SavedView, Tag } from '@docwright/contract';
import mongoose from 'mongoose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createInvoicePrompt,
  startEvaluationTestBench,
  type EvaluationTestBench,
} from '../../testing/evaluation-test-bench.ts';
import type { TestClient } from '../../testing/test-client.ts';
import { xlsxType } from './result-export.ts';

let bench: EvaluationTestBench;
let client: TestClient;
let prompt: Prompt;
beforeAll(async () => {
  bench = await startEvaluationTestBench();
});
afterAll(async () => bench.stop());
beforeEach(async () => {
  client = await bench.addOrganization();
  prompt = await createInvoicePrompt(client);
});

async function upload(name: string, text = 'value 1'): Promise<string> {
  const content = Buffer.from(text).toString('base64');
  const { body } = await client.post<{ documents: { id: string }[] }>('./documents', {
    documents: [{ name, content }],
  });
  await bench.services.documents.textReading.readAll(new AbortController().signal);
  return body.documents[0]!.id;
}

const line = (text: string, amount: number) => ({ text, amount });
async function extracted(number: string | null, total: number | null, lines: object[] = [], revid?: string) {
  bench.answer(() => ({ number, total, lines }));
  const id = await upload(`${number}.txt`);
  await extract(id, revid);
  return id;
}
const extract = async (id: string, prompt_revid = prompt.prompt_revid) =>
  await client.post(`./documents/${id}/extractions`, { prompt_revid });

const get = async (query: Record<string, string> = {}) =>
  await client.get<ResultPage>(`./prompts/${prompt.prompt_id}/results?${new URLSearchParams(query).toString()}`);
const numbers = async (query: Record<string, string> = {}) =>
  (await get(query)).body.rows.map(({ fields }) => fields['number']);

describe('the results of a prompt', () => {
  it('say how many changes are not in them yet, if there are more than a request waits for', async () => {
    await extracted('A', 10);
    const of = {
      organization_id: new mongoose.Types.ObjectId(client.organizationId),
      prompt_id: prompt.prompt_id,
    };
    const removed = Array.from({ length: 60 }, () => ({ ...of, document_id: new mongoose.Types.ObjectId() }));
    await bench.connection.collection('removed_results').insertMany(removed);
    expect((await get()).body).toMatchObject({ total_count: 1, lag: { pending: 10 } });
    expect((await get()).body.lag).toBeUndefined();
  });

  it('are a row for each document, the newest result over all revisions, a verified one first', async () => {
    const id = await extracted('A', 10);
    const other = await extracted('B', 20);
    const next = (await client.put<Prompt>(`./prompts/${prompt.prompt_id}`, { content: 'Read it well.' })).body;
    bench.answer(() => ({ number: 'A2', total: 11, lines: [] }));
    await extract(id, next.prompt_revid);
    const { body, status } = await get({ sort: 'number' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ total_count: 2, next_cursor: null, tables: [] });
    expect(body.columns).toEqual([
      { path: 'number', kind: 'text' },
      { path: 'total', kind: 'number' },
    ]);
    expect(body.rows[0]).toMatchObject({
      document_id: id,
      document_name: 'A.txt',
      prompt_revid: next.prompt_revid,
      version: 1,
      release: 'open',
      is_verified: false,
      is_complete: true,
      fields: { number: 'A2', total: 11 },
    });
    await client.put(`./documents/${id}/extractions/${prompt.prompt_revid}/verification`, { is_verified: true });
    expect(await numbers({ sort: 'number' })).toEqual(['A', 'B']);
    expect(await numbers({ is_verified: 'true' })).toEqual(['A']);
    await client.patch(`./documents/${other}/extractions/${prompt.prompt_revid}`, {
      path: 'total',
      value: 5,
      base_version: 1,
    });
    expect(await numbers({ sort: 'total' })).toEqual(['B', 'A']);
  });

  it('are filtered, sorted and paged; a missing value is last and satisfies only =null', async () => {
    for (const [number, total] of [
      ['a1', 5],
      ['b2', null],
      ['Ab3', 1000],
      ['c4', 70],
    ] as const)
      await extracted(number, total);
    expect(await numbers({ sort: 'total' })).toEqual(['a1', 'c4', 'Ab3', 'b2']);
    expect(await numbers({ sort: '-total' })).toEqual(['Ab3', 'c4', 'a1', 'b2']);
    expect(await numbers({ where: 'total>=70', sort: 'total' })).toEqual(['c4', 'Ab3']);
    expect(await numbers({ where: 'number~AB' })).toEqual(['Ab3']);
    expect(await numbers({ where: 'total=null' })).toEqual(['b2']);
    expect(await numbers({ where: 'total!=5 and total<1000' })).toEqual(['c4']);
    expect(await numbers({ sort: '-document_name', limit: '1' })).toEqual(['c4']);
    const seen: unknown[] = [];
    let cursor: string | null = null;
    do {
      const { body }: { body: ResultPage } = await get({ sort: '-total', limit: '1', ...(cursor && { cursor }) });
      seen.push(...body.rows.map(({ fields }) => fields['number']));
      expect(body.total_count).toBe(4);
      cursor = body.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(['Ab3', 'c4', 'a1', 'b2']);
    const { body } = await get({ columns: 'total', sort: 'total', limit: '1' });
    expect(body.rows[0]!.fields).toEqual({ total: 5 });
  });

  it('are paged by long texts that begin alike, and a cursor of another order is refused', async () => {
    const start = '\u0001 '.repeat(3_000);
    const names = ['1', '2', '3'].map((end) => start + end);
    for (const number of names) {
      bench.answer(() => ({ number, total: 1, lines: [] }));
      await extract(await upload('Long.txt'));
    }
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const { body }: { body: ResultPage } = await get({ sort: '-number', limit: '1', ...(cursor && { cursor }) });
      seen.push(...body.rows.map(({ fields }) => (fields['number'] as string).at(-1)!));
      cursor = body.next_cursor;
      if (cursor !== null) expect((await get({ sort: 'total', cursor })).error?.code).toBe('invalid_cursor');
    } while (cursor !== null);
    expect(seen).toEqual(['3', '2', '1']);
  });

  it('follow tags, names, the trash and deletion of documents', async () => {
    const id = await extracted('A', 1);
    const other = await extracted('B', 2);
    const tag = (await client.post<Tag>('./tags', { name: 'Paid', color: '#112233' })).body;
    await client.patch(`./documents/${id}`, { tag_ids: [tag.tag_id], document_name: 'Renamed.txt' });
    const tagged = await get({ tag_ids: tag.tag_id });
    expect(tagged.error).toBeUndefined();
    expect(tagged.body.rows.map(({ document_name }) => document_name)).toEqual(['Renamed.txt']);
    await client.delete(`./documents/${other}`);
    expect(await numbers()).toEqual(['A']);
    await client.post(`./documents/${other}/restore`);
    expect(await numbers({ sort: 'number' })).toEqual(['A', 'B']);
    expect(await numbers({ since: new Date(Date.now() + 60_000).toISOString() })).toEqual([]);
  });

  it('have the state of their release', async () => {
    const id = await extracted('A', 1);
    expect((await get({ release: 'released' })).body.total_count).toBe(0);
    await client.post(`./documents/${id}/extractions/${prompt.prompt_revid}/release`, { version: 1 });
    const { body } = await get({ release: 'released' });
    expect(body.rows).toMatchObject([{ document_id: id, release: 'released' }]);
  });

  it('have a row for each item of a list, with the document’s columns in front', async () => {
    await extracted('A', 30, [line('Chain', 10), line('Oil', 20)]);
    await extracted('B', 5, [line('Oil', 5)]);
    const { body } = await get({ table: 'lines', sort: 'lines.amount' });
    expect(body.tables).toEqual(['lines']);
    expect(body.rows.map(({ item, fields }) => [item, fields])).toEqual([
      [0, { number: 'B', total: 5, 'lines.text': 'Oil', 'lines.amount': 5 }],
      [0, { number: 'A', total: 30, 'lines.text': 'Chain', 'lines.amount': 10 }],
      [1, { number: 'A', total: 30, 'lines.text': 'Oil', 'lines.amount': 20 }],
    ]);
    expect(await numbers({ table: 'lines', where: 'lines.amount>5 and lines.text=Oil' })).toEqual(['A']);
    expect((await get({ table: 'nothing' })).status).toBe(400);
  });

  it('have totals by one or two columns', async () => {
    await extracted('A', 0.1);
    await extracted('A', 0.2);
    await extracted('B', null);
    const totals = async (query: string) =>
      (await client.get<ResultSummary>(`./prompts/${prompt.prompt_id}/results/summary?${query}`)).body;
    expect(await totals('group_by=number&sum=total')).toEqual({
      totals: [
        { key: ['A'], sum: 0.3, count: 2, without_value: 0 },
        { key: ['B'], sum: 0, count: 1, without_value: 1 },
      ],
      total_count: 2,
    });
    expect((await totals('count=total')).totals).toEqual([{ key: [], count: 2, without_value: 1 }]);
    expect((await totals('group_by=number,is_verified&where=total>0.15')).totals).toEqual([
      { key: ['A', false], count: 1, without_value: 0 },
    ]);
  });

  it('can be of some documents, and start at a position', async () => {
    const ids = [await extracted('A', 1), await extracted('B', 2), await extracted('C', 3)];
    expect(await numbers({ sort: 'number', document_ids: `${ids[0]},${ids[2]}` })).toEqual(['A', 'C']);
    const { body } = await get({ sort: 'number', position: '1', limit: '1' });
    expect(body.rows.map(({ fields }) => fields['number'])).toEqual(['B']);
    expect(body.next_cursor).not.toBeNull();
    expect(await numbers({ sort: 'number', cursor: body.next_cursor! })).toEqual(['C']);
    expect((await get({ position: '3' })).body).toMatchObject({ rows: [], next_cursor: null, total_count: 3 });
  });

  it('refuse conditions, columns and cursors that do not exist, and belong to one organization', async () => {
    await extracted('A', 1);
    const code = async (query: Record<string, string>) => {
      const { status, body } = await client.get<{ error: { code: string } }>(
        `./prompts/${prompt.prompt_id}/results?${new URLSearchParams(query).toString()}`,
      );
      return [status, body.error.code];
    };
    expect(await code({ where: 'total' })).toEqual([400, 'invalid_where']);
    expect(await code({ where: 'nope=1' })).toEqual([400, 'unknown_column']);
    expect(await code({ sort: '-nope' })).toEqual([400, 'unknown_column']);
    expect(await code({ cursor: 'x' })).toEqual([400, 'invalid_cursor']);
    const stranger = await bench.addOrganization();
    expect((await stranger.get(`./prompts/${prompt.prompt_id}/results`)).status).toBe(404);
  });
});

describe('saved views', () => {
  it('are a user’s own or shared, replace the one of the same name, and check their conditions', async () => {
    const url = `./prompts/${prompt.prompt_id}/views`;
    const member = (await bench.addUser('member', client.organizationId)).in(client.organizationId, 'member');
    await client.post(url, { name: 'Large', where: 'total>=1000', sort: '-total', is_shared: true });
    await client.post(url, { name: 'Own', columns: ['total'] });
    const saved = await client.post<SavedView>(url, { name: 'Own', columns: ['number'] });
    expect(saved).toMatchObject({ status: 201, body: { name: 'Own', columns: ['number'], is_shared: false } });
    const names = async (of: TestClient) =>
      (await of.get<{ views: SavedView[] }>(url)).body.views.map(({ name, columns }) => [name, columns]);
    expect(await names(client)).toEqual([
      ['Large', []],
      ['Own', ['number']],
    ]);
    expect(await names(member)).toEqual([['Large', []]]);
    expect((await client.post(url, { name: 'Bad', where: 'total' })).error?.code).toBe('invalid_where');
    const stranger = await bench.addOrganization();
    expect((await stranger.get(url)).error?.code).toBe('prompt_not_found');
    const view = `${url}/${saved.body.id}`;
    expect((await member.delete(view)).error?.code).toBe('view_not_found');
    expect((await client.delete(view)).status).toBe(204);
    expect((await client.delete(view)).error?.code).toBe('view_not_found');
    expect(await names(client)).toEqual([['Large', []]]);
  });
});

describe('an export', () => {
  const download = async (accept: string, query = 'sort=total') => {
    const response = await fetch(
      `${bench.address}/v0/orgs/${client.organizationId}/prompts/${prompt.prompt_id}/results?${query}`,
      { headers: { accept, authorization: `Bearer ${client.accessToken}` } },
    );
    return { response, bytes: Buffer.from(await response.arrayBuffer()) };
  };

  it('as CSV or NDJSON has all rows, and escapes texts that a spreadsheet would run', async () => {
    const id = await extracted('=HYPERLINK("http://x")', -5);
    await extracted('B', 2);
    const { response, bytes } = await download('text/csv', 'sort=total&limit=1');
    expect(response.headers.get('content-disposition')).toContain('Invoice.csv');
    const lines = bytes.toString().trimEnd().split('\r\n');
    expect(lines[0]).toBe('document_id,document_name,prompt_revid,version,release,is_verified,number,total');
    expect(lines[1]).toMatch(new RegExp(`^${id},.*,1,open,false,"'=HYPERLINK\\(""http://x""\\)",-5$`));
    expect(lines).toHaveLength(3);
    const ndjson = await download('application/x-ndjson', 'sort=total&columns=total');
    expect(
      ndjson.bytes
        .toString()
        .trimEnd()
        .split('\n')
        .map((row) => JSON.parse(row).fields),
    ).toEqual([{ total: -5 }, { total: 2 }]);
  });

  it('as XLSX opens in another reader, with texts as texts', async () => {
    await extracted('=1+1', 7.25);
    const { response, bytes } = await download(xlsxType);
    expect(response.headers.get('content-type')).toBe(xlsxType);
    const parsed = await parseDocument({ bytes: new Uint8Array(bytes), mimeType: xlsxType });
    expect(JSON.stringify(parsed)).toContain('=1+1');
    expect(JSON.stringify(parsed)).toContain('7.25');
  });
});
