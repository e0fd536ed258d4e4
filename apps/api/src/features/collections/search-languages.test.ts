import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { TestClient } from '../../testing/test-client.ts';
import { languagesOfChunks } from '../pipelines/chunk-languages.ts';
import { startCollectionsTestBench, type CollectionsTestBench } from '../../testing/collections-test-bench.ts';

// The machine runs other tests at the same time.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const files = {
  'mietvertrag.txt':
    'Die Kündigungsfristen betragen drei Monate. Die Häuser werden vom Vermieter Müller in der Hauptstraße übergeben.',
  'bail.txt': 'Les loyers sont payés à la société de gestion au début de chaque mois, et les factures à l’école.',
  'contratto.txt': 'Il conduttore paga le fatture della società entro trenta giorni dal ricevimento dei beni.',
  'contrato.txt': 'El arrendatario pagará las facturas de los niños durante los primeros días de cada mes.',
  'lease.txt': 'The tenant pays the invoices within thirty days. Whoever lets the house die of thirst pays for it.',
  '合同.txt': '本合同的付款条件是在收到发票后三十天内付款。出租人负责维修房屋。',
  '契約書.txt': '契約書の支払条件は請求書を受領してから三十日以内とする。貸主は修繕を行う。',
  'umowa.txt': 'Umowa najmu zostaje zawarta na czas nieokreślony przez strony, a czynsz płatny jest z góry.',
};

let bench: CollectionsTestBench;
let client: TestClient;
let id: string;

beforeAll(async () => {
  bench = await startCollectionsTestBench();
  client = await bench.app.addOrganization();
  await bench.upload(client, files);
  await bench.read();
  ({ id } = await bench.apply(client, await bench.source(client)));
  await bench.index();
});
afterAll(() => bench.app.stop());

const findNames = async (query: string) => {
  const { results } = await bench.search(client, id, query);
  return results.map(({ document_name }) => document_name).toSorted();
};

it.each([
  ['Kündigungsfrist', ['mietvertrag.txt']],
  ['kundigungsfristen', ['mietvertrag.txt']],
  ['haus MULLER hauptstrasse', ['mietvertrag.txt']],
  ['payée', ['bail.txt']],
  ['SOCIETE ecole', ['bail.txt']],
  ['facture', ['bail.txt', 'contrato.txt']],
  ['fattura', ['contratto.txt']],
  ['"thirty days"', ['lease.txt']],
  ['invoice -thirst', []],
  ['facturas -niño', ['bail.txt']],
  ['die', ['lease.txt']],
  ['付款', ['合同.txt']],
  ['支払条件', ['契約書.txt', '合同.txt']],
  ['"支払条件"', ['契約書.txt']],
  ['czynsz', ['umowa.txt']],
  ['nieokreslony', ['umowa.txt']],
])('finds %s in texts of several languages', async (query, names) => {
  expect(await findNames(query)).toEqual(names.toSorted());
});

it('returns the matching words', async () => {
  const marked = async (query: string) => {
    const [hit] = (await bench.search(client, id, query)).results;
    return hit?.matches.map(({ start, end }) => hit.text.slice(start, end));
  };
  expect(await marked('kündigungsfrist haus')).toEqual(['Kündigungsfristen', 'Häuser']);
  expect(await marked('"thirty days" invoice -nothing')).toEqual(['invoices', 'thirty', 'days']);
  expect(await marked('付款条件')).toEqual(['付款条件', '付款']);
});

it('answers any query', async () => {
  const queries = [
    '-a',
    '-"',
    '"',
    '" "',
    '"unclosed',
    '\0',
    '😀',
    'a\0b',
    '(NEAR) * ^ : AND OR NOT',
    'the of and',
    '{}[]',
  ];
  for (const query of [...queries, 'word '.repeat(200).trim(), '付'.repeat(1000), '-'.repeat(1000), 'x'.repeat(1000)]) {
    const { status } = await client.post(`/api/v2/collections/${id}/search`, { query });
    expect(status, query).toBe(200);
  }
  expect((await client.post(`/api/v2/collections/${id}/search`, { query: ' ' })).status).toBe(422);
});

it('ignores a language that few chunks of a document have, and assumes English without any evidence', async () => {
  const yieldLoop = async () => undefined;
  const german = 'Die Kündigungsfrist beträgt drei Monate zum Ende eines Quartals.';
  const french = 'Les frais de livraison seront facturés à la société.';
  expect(await languagesOfChunks(['4711', ...Array(9).fill(german), french], yieldLoop)).toEqual(
    Array(11).fill('german'),
  );
  expect(await languagesOfChunks([german, french, 'x'], yieldLoop)).toEqual(['german', 'french', 'german']);
  expect(await languagesOfChunks(['4711', 'EUR 95.00'], yieldLoop)).toEqual(['english', 'english']);
  expect(await languagesOfChunks([], yieldLoop)).toEqual([]);
});
