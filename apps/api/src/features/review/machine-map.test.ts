import type { Extraction, Prompt } from '@docwright/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startEvaluationTestBench, trueResult, type EvaluationTestBench } from '../../testing/evaluation-test-bench.ts';
import { queueOf, settle, startReviewScene } from '../../testing/review-test-bench.ts';
import { documentModel } from '../documents/index.ts';

let bench: EvaluationTestBench;
beforeAll(async () => {
  bench = await startEvaluationTestBench();
});
afterAll(async () => bench.stop());

const machine_map = [
  { field: 'number', from: 'invoice_xml.number' },
  { field: 'total', from: 'invoice_xml.totals.gross' },
  { field: 'lines[].amount', from: 'invoice_xml.lines[].net' },
];

it('says of each mapped value whether it agrees with the data for machines, also after an edit', async () => {
  const { client, read, prompt } = await startReviewScene(bench, { machine_map });
  expect(prompt.machine_map).toEqual(machine_map);
  bench.answer(({ document }) => ({ ...trueResult(document), total: 46 }));
  const { id, url } = await read('40');
  const lines = [{ net: '5.00' }, { net: '35.00' }];
  const data = { number: '40', totals: { gross: '40.00' }, lines };
  const machine_data = [{ kind: 'invoice_xml', data }];
  await documentModel(bench.connection).updateOne({ _id: id }, { $set: { machine_data } });
  await client.post(`./documents/${id}/extractions`, { prompt_revid: prompt.prompt_revid });

  const { version, review } = (await client.get<Extraction>(url)).body;
  expect(review!['total']).toMatchObject({ embedded_value: 40, to_check: true });
  expect(review!['total']!.reasons).toContain('differs_from_embedded');
  expect(review!['lines.1.amount']!.reasons).toContain('agrees_with_embedded');
  expect(review!['number']).toMatchObject({ reasons: ['agrees_with_embedded'], to_check: false });
  expect(review!['number']!.risk).toBeLessThan(0.01);
  expect(review!['lines.0.text']!.reasons).toEqual([]);
  await settle(bench);
  const { items } = await queueOf(client, 'reason=differs_from_embedded');
  expect(items).toMatchObject([{ path: 'total', value: 46, embedded_value: 40 }]);
  expect((await queueOf(client, 'reason=agrees_with_embedded&all=true')).values).toBe(3);

  const edited = await client.patch<Extraction>(url, { path: 'total', value: 40, base_version: version });
  expect(edited.body.review!['total']!.reasons).toContain('agrees_with_embedded');
  expect(edited.body.review!['total']!.embedded_value).toBeUndefined();
  const rows = [{ text: 'Oil', amount: 35 }];
  const fewer = await client.patch<Extraction>(url, { path: 'lines', value: rows, base_version: version + 1 });
  expect(fewer.body.review!['lines.0.amount']!.reasons).toContain('agrees_with_embedded');
});

it('compares numbers that a double cannot hold by every digit', async () => {
  const { client, read, prompt } = await startReviewScene(bench, { machine_map });
  const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => number };
  const exact = { total: rawJSON('12345678901234567891'), lines: [{ text: 'Oil', amount: rawJSON('8.5e20') }] };
  bench.answer(({ document }) => ({ ...trueResult(document), ...exact }));
  const { id, url } = await read('41');
  const data = {
    number: '41',
    totals: { gross: '12345678901234567890' },
    lines: [{ net: '850000000000000000000.00' }],
  };
  const machine_data = [{ kind: 'invoice_xml', data }];
  await documentModel(bench.connection).updateOne({ _id: id }, { $set: { machine_data } });
  await client.post(`./documents/${id}/extractions`, { prompt_revid: prompt.prompt_revid });
  const { review, version } = (await client.get<Extraction>(url)).body;
  expect(review!['total']!.reasons).toContain('differs_from_embedded');
  expect(review!['lines.0.amount']!.reasons).toContain('agrees_with_embedded');
  const edited = await client.patch<Extraction>(url, { path: 'number', value: 'x', base_version: version });
  expect(edited.body.review!['total']!.reasons).toContain('differs_from_embedded');
});

it('maps fields of the schema alone, once each, and an empty list ends it', async () => {
  const { client, prompt } = await startReviewScene(bench, { machine_map });
  const update = async (map: object[]) => client.put<Prompt>(`./prompts/${prompt.prompt_id}`, { machine_map: map });
  const unknown = await update([{ field: 'vat', from: 'invoice_xml.totals.tax' }]);
  expect(unknown).toMatchObject({ status: 400, error: { code: 'unknown_reference' } });
  const of = (field: string, from: string) => [{ field, from }];
  for (const map of [
    of('total', 'invoice.totals.gross'),
    of('total', 'invoice_xml.lines[].net'),
    of('lines[].amount', 'invoice_xml.totals.gross'),
    [...of('total', 'invoice_xml.a'), ...of('total', 'invoice_xml.b')],
  ]) {
    expect((await update(map)).status, JSON.stringify(map)).toBe(422);
  }
  expect((await update([])).body.machine_map).toBeUndefined();
});
