import type { Document, FoundPlace } from '@docwright/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startEvaluationTestBench, type EvaluationTestBench } from '../../testing/evaluation-test-bench.ts';
import { startReviewScene } from '../../testing/review-test-bench.ts';
import type { TestClient } from '../../testing/test-client.ts';

let bench: EvaluationTestBench;
beforeAll(async () => {
  bench = await startEvaluationTestBench();
});
afterAll(async () => bench.stop());

async function upload(client: TestClient, name: string, text: string): Promise<string> {
  const content = Buffer.from(text).toString('base64');
  const { body } = await client.post<{ documents: [Document] }>('./documents', { documents: [{ name, content }] });
  await bench.services.documents.textReading.readAll(new AbortController().signal);
  return body.documents[0].id;
}

const find = async (client: TestClient, q: string) =>
  (await client.get<{ places: FoundPlace[] }>(`./find?q=${encodeURIComponent(q)}`)).body.places;

it('finds words of pages at their place, ignoring case, accents and Unicode form', async () => {
  const client = await bench.addOrganization();
  const text = 'Delivery to Große Straße 5, Café Zoë. Order INV08664 of May.';
  const id = await upload(client, 'note.txt', text);
  for (const q of ['INV08664', 'inv08664', 'grosse STRASSE', 'Cafe\u0301', 'zoe', 'cafe inv08664']) {
    expect(await find(client, q)).toMatchObject([{ document_id: id, kind: 'page', page_num: 1 }]);
  }
  const [place] = await find(client, 'inv08664');
  expect(text.slice(place!.start, place!.end)).toBe('INV08664');
  expect(place!.excerpt).toContain('Order INV08664 of May');
  // All words are required.
  expect(await find(client, 'inv08664 absent')).toEqual([]);
  expect((await client.get('./find?q=a')).status).toBe(422);
  expect(await find(client, '?!')).toEqual([]);
});

it('finds names by any part, without regard to accents', async () => {
  const client = await bench.addOrganization();
  const id = await upload(client, 'Überweisung Größe.txt', 'nothing');
  for (const q of ['uberweis', 'ÜBERWEISUNG', 'weisung grosse']) {
    expect(await find(client, q)).toMatchObject([{ document_id: id, kind: 'name' }]);
  }
  const { body } = await client.get<{ total_count: number }>(`./documents?name_search=${encodeURIComponent('GROSSE')}`);
  expect(body.total_count).toBe(1);
});

it('finds values by their beginning, in the present result alone, and nothing of others or of the trash', async () => {
  const { client, read } = await startReviewScene(bench, {}, []);
  bench.answer(() => ({ number: 'RX-77120', total: 1, lines: [{ text: 'Cordless drill', amount: 3 }] }));
  const { id, url } = await read('90');
  expect(await find(client, 'cordl')).toMatchObject([
    { document_id: id, kind: 'value', path: 'lines.0.text', excerpt: 'Cordless drill' },
  ]);
  expect(await find(client, '77120')).toMatchObject([{ kind: 'value', path: 'number' }]);
  await client.patch(url, { path: 'number', value: 'QQ-55555', base_version: 1 });
  expect(await find(client, '77120')).toEqual([]);
  expect(await find(client, 'qq 55555')).toMatchObject([{ kind: 'value', path: 'number' }]);
  expect(await find(await bench.addOrganization(), '55555')).toEqual([]);
  await client.delete(`./documents/${id}`);
  expect(await find(client, '55555')).toEqual([]);
});
