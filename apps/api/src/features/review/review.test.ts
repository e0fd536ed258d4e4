import { randomUUID } from 'node:crypto';
import type { Extraction, Schema } from '@docwright/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  formatOf,
  invoiceFields,
  startEvaluationTestBench,
  trueResult,
  type EvaluationTestBench,
} from '../../testing/evaluation-test-bench.ts';
import { queueOf, settle, sumCheck, startReviewScene } from '../../testing/review-test-bench.ts';
import type { TestClient } from '../../testing/test-client.ts';

let bench: EvaluationTestBench;
beforeAll(async () => {
  bench = await startEvaluationTestBench();
});
afterAll(async () => bench.stop());

describe('the risk of values', () => {
  it('is returned with reasons, state and failed checks', async () => {
    const { client, read } = await startReviewScene(bench);
    bench.answer(({ document }) => ({ ...trueResult(document), total: 999 }));
    const { url, extraction } = await read('20');
    expect(extraction.failed_checks).toEqual([
      { id: 'rows', message: 'The rows do not add up', severity: 'error', fields: ['lines[].amount', 'total'] },
    ]);
    const { body } = await client.get<Extraction>(url);
    expect(body.calibration).toBeNull();
    expect(body.review!['total']).toMatchObject({ reasons: ['not_found', 'check_failed'], state: 'open' });
    expect(body.review!['lines.0.amount']).toMatchObject({ reasons: ['check_failed'] });
    expect(body.review!['number']!.risk).toBeLessThan(0.1);
    expect(body.review!['total']!.risk).toBeGreaterThan(body.review!['lines.0.amount']!.risk);
    expect(Object.keys(body.review!)).toHaveLength(6);
  });

  it('falls when the wrong value is corrected', async () => {
    const { client, read } = await startReviewScene(bench);
    bench.answer(({ document }) => ({ ...trueResult(document), total: 999 }));
    const { url } = await read('21');
    const { body } = await client.patch<Extraction>(url, { path: 'total', value: 21, base_version: 1 });
    expect(body.failed_checks).toEqual([]);
    expect(body.review!['total']!.state).toBe('corrected');
    expect(body.review!['total']!.reasons).not.toContain('check_failed');
    expect(body.review!['lines.0.amount']).toMatchObject({ state: 'open', reasons: [] });
  });

  it('uses token probabilities, and marks a value that the model is unsure of', async () => {
    const { client, read } = await startReviewScene(bench);
    bench.answer(({ document }) => ({ ...trueResult(document), number: `${document}?` }));
    const { url, extraction } = await read('35');
    expect(bench.requests.every(({ request }) => request.logprobs)).toBe(true);
    expect(extraction.review!['number']!.reasons).toContain('model_unsure');
    expect(extraction.review!['total']!.reasons).not.toContain('model_unsure');
    // The probabilities do not apply to a value that a user entered.
    const { version } = extraction;
    const edited = await client.patch<Extraction>(url, { path: 'number', value: '35', base_version: version });
    expect(edited.body.review!['number']!.reasons).not.toContain('model_unsure');
  });

  it('marks values that a second read contradicts, and charges both reads', async () => {
    const { read, client } = await startReviewScene(bench, { second_read: true });
    let reads = 0;
    bench.answer(({ document }) => (reads++ % 2 === 0 ? trueResult(document) : { ...trueResult(document), total: 7 }));
    const { url, extraction } = await read('22');
    expect(bench.requests).toHaveLength(2);
    expect(extraction.usage.prompt_tokens).toBe(200);
    const orders = bench.requests.map(({ request }) => JSON.stringify(request.responseFormat));
    // The reads run at the same time, so either can be first.
    const numberFirst = orders.filter((order) => order.indexOf('"number":{') < order.indexOf('"lines":{'));
    expect(numberFirst).toHaveLength(1);
    const { review } = (await client.get<Extraction>(url)).body;
    const other = Object.entries(review!).filter(([, { reasons }]) => reasons.includes('differs_from_second_read'));
    expect(other.map(([path]) => path)).toEqual(['total']);
    expect([7, 22]).toContain(review!['total']!.second_value);
  });
});

describe('the queue', () => {
  it('lists riskiest documents first, a document’s values together, and filters', async () => {
    const { client, read, prompt } = await startReviewScene(bench);
    bench.answer(({ document }) => ({ ...trueResult(document), ...(document === '31' && { total: 999 }) }));
    const fine = await read('30');
    const bad = await read('31');
    const queue = await queueOf(client, 'all=true&limit=100');
    expect(queue).toMatchObject({ documents: 2, values: 12, total_count: 12, skip: 0, limit: 100 });
    expect(queue.items.map(({ document_id }) => document_id)).toEqual([
      ...Array(6).fill(bad.id),
      ...Array(6).fill(fine.id),
    ]);
    expect(queue.items[0]).toMatchObject({
      document_name: '31.txt',
      prompt_revid: prompt.prompt_revid,
      path: 'total',
      value: 999,
      reasons: ['not_found', 'check_failed'],
      grounding: { match: 'none' },
      version: 1,
    });
    expect((await queueOf(client, 'all=true&skip=4&limit=4')).items).toEqual(queue.items.slice(4, 8));
    expect(await queueOf(client, 'reason=not_found')).toMatchObject({ total_count: 1, values: 1, documents: 1 });
    expect(await queueOf(client, `min_risk=${queue.items[0]!.risk}`)).toMatchObject({ total_count: 1 });
    expect(await queueOf(client, `prompt_id=${'0'.repeat(24)}`)).toMatchObject({ total_count: 0, items: [] });
    expect(await queueOf(client, `all=true&prompt_id=${prompt.prompt_id}&limit=1`)).toMatchObject({ total_count: 12 });
    const tag = (await client.post<{ tag_id: string }>('./tags', { name: 'urgent' })).body.tag_id;
    expect(await queueOf(client, `tag_id=${tag}`)).toMatchObject({ total_count: 0 });
    await client.patch(`./documents/${fine.id}`, { tag_ids: [tag] });
    expect(await queueOf(client, `all=true&tag_id=${tag}`)).toMatchObject({ total_count: 6 });
    expect((await client.get('./review?min_risk=2')).status).toBe(422);
    expect((await client.get('./review?reason=odd')).status).toBe(422);
    // Another organization sees none of it.
    expect(await queueOf(await bench.addOrganization())).toMatchObject({ total_count: 0, documents: 0 });
    await client.delete(`./documents/${bad.id}`);
    expect(await queueOf(client, 'all=true')).toMatchObject({ documents: 1, total_count: 6 });
  });

  it('leases a document to one user at a time, for two minutes', async () => {
    const { client, read } = await startReviewScene(bench);
    bench.answer(({ document }) => trueResult(document));
    const [one, two] = [await read('40'), await read('41')];
    const { organizationId } = client;
    const colleague = await bench.addUser('member', organizationId);
    // A user who cannot decide reserves nothing.
    const asked = { name: 'reader', lifetime_days: 1, scopes: ['read'] };
    const { token } = (await colleague.post<{ token: string }>('./access_tokens', asked)).body;
    const url = `/v0/orgs/${organizationId}/review?all=true&limit=100`;
    expect((await bench.app.inject({ url, headers: { 'x-api-key': token } })).json().items).toHaveLength(12);
    const mine = (await queueOf(client, 'all=true&limit=3')).items[0]!.document_id;
    const theirs = await queueOf(colleague, 'all=true&limit=100');
    expect(new Set(theirs.items.map(({ document_id }) => document_id))).toEqual(
      new Set([one.id, two.id].filter((id) => id !== mine)),
    );
    expect(theirs).toMatchObject({ total_count: 6, values: 12, documents: 2 });
    expect((await queueOf(client, 'all=true&limit=100')).items.map(({ document_id }) => document_id)).toEqual(
      Array(6).fill(mine),
    );
    const viewer = await bench.addUser('viewer', organizationId);
    expect((await queueOf(viewer, 'all=true&limit=100')).items).toHaveLength(12);
    expect(await queueOf(colleague, 'all=true&lease=false&limit=100')).toMatchObject({ total_count: 12 });
    await bench.connection
      .collection('review_leases')
      .updateMany({}, { $set: { 'lease.until': new Date(Date.now() - 1000) } });
    expect((await queueOf(colleague, 'all=true&limit=100')).items).toHaveLength(12);
    expect((await queueOf(client, 'all=true&limit=100')).items).toHaveLength(0);
  });

  it('never leases one document to two concurrent requests', async () => {
    const { client, read } = await startReviewScene(bench);
    bench.answer(({ document }) => trueResult(document));
    for (const text of ['42', '43', '44', '45']) await read(text);
    const people = await Promise.all([1, 2, 3].map(() => bench.addUser('member', client.organizationId)));
    const pages = await Promise.all([client, ...people].map((person) => queueOf(person, 'all=true&limit=3')));
    expect(new Set(pages.map(({ items }) => items[0]?.document_id)).size).toBe(4);
  });
});

describe('checks of a schema', () => {
  const refused = async (client: TestClient, checks: object[]) =>
    client.post<{ error: { code: string; details: unknown } }>('./schemas', {
      name: randomUUID(),
      response_format: formatOf(invoiceFields),
      checks,
    });

  it('are versioned with the schema, and must match its fields', async () => {
    const { client, schema } = await startReviewScene(bench);
    expect(schema).toMatchObject({ schema_version: 1, checks: [sumCheck] });
    const url = `./schemas/${schema.schema_id}`;
    expect((await client.put<Schema>(url, { name: 'Bill' })).body).toMatchObject({
      schema_version: 1,
      checks: [sumCheck],
    });
    const weaker = { ...sumCheck, severity: 'warning' };
    expect((await client.put<Schema>(url, { checks: [weaker] })).body).toMatchObject({
      schema_version: 2,
      checks: [weaker],
    });
    const without = await client.put(url, { response_format: formatOf({ number: { type: 'string' } }) });
    expect(without.status).toBe(400);
    expect(without.body).toMatchObject({ error: { code: 'invalid_check', details: { check: 'rows' } } });
    const none = await client.put<Schema>(url, { checks: [] });
    expect(none.body).toMatchObject({ schema_version: 3 });
    expect(none.body.checks).toBeUndefined();
    expect((await client.get<Schema>(`./schemas/${schema.schema_revid}`)).body.checks).toEqual([sumCheck]);
  });

  it('are rejected with the position of the error', async () => {
    const client = await bench.addOrganization();
    for (const [expression, position] of [
      ['total >= ', 9],
      ['total >= subtotal', 9],
      ['1 == 1', 0],
    ] as const) {
      const { status, body } = await refused(client, [{ ...sumCheck, expression }]);
      expect(status).toBe(400);
      expect(body.error).toMatchObject({ code: 'invalid_check', details: { check: 'rows', position } });
    }
    expect((await refused(client, [sumCheck, sumCheck])).body.error.code).toBe('invalid_check');
    expect((await refused(client, [{ ...sumCheck, expression: 'x'.repeat(2001) }])).status).toBe(422);
    expect((await refused(client, Array(51).fill(sumCheck))).status).toBe(422);
  });
});

it('calibrates risks with verified values of the same organization only', { timeout: 120_000 }, async () => {
  const { client, read, prompt } = await startReviewScene(bench);
  bench.answer(({ document }) => ({ ...trueResult(document), ...(Number(document) % 5 === 0 && { total: 3 }) }));
  for (let text = 100; text < 109; text += 1) {
    const { url } = await read(`${text}`);
    if (text % 5 === 0) await client.patch(url, { path: 'total', value: text, base_version: 1 });
    await client.put(`${url}/verification`, { is_verified: true, seen: true });
  }
  await settle(bench);
  const { url } = await read('110');
  const { calibration, review } = (await client.get<Extraction>(url)).body;
  expect(calibration).toMatchObject({ verified_values: 54, auroc: expect.any(Number) });
  expect(calibration!.error).toBeLessThan(0.1);
  expect(review!['total']!.risk).toBeGreaterThan(review!['number']!.risk);
  const others = await startReviewScene(bench);
  const other = await others.read('111');
  expect((await others.client.get<Extraction>(other.url)).body.calibration).toBeNull();
  expect(await bench.connection.collection('risk_models').countDocuments({ prompt_id: prompt.prompt_id })).toBe(1);
});
