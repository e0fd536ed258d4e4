import type { Prompt, Schema } from '@docwright/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

let harness: TestApp;
beforeAll(async () => {
  harness = await startTestApp();
});
afterAll(async () => harness.stop());

const formatOf = (...names: string[]) => ({
  type: 'json_schema',
  json_schema: {
    name: 'invoice',
    strict: true,
    schema: {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { type: ['string', 'null'] }])),
      required: names,
      additionalProperties: false,
    },
  },
});
const create = async (name: string): Promise<Schema> =>
  (await harness.admin.post<Schema>('./schemas', { name, response_format: formatOf('total') })).body;

describe('a schema and its revisions', () => {
  it('is created, changed, renamed and read back', async () => {
    const created = await harness.admin.post<Schema>('./schemas', {
      name: 'Invoice',
      response_format: formatOf('total'),
    });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ schema_version: 1, name: 'Invoice', response_format: formatOf('total') });
    const { schema_id, schema_revid } = created.body;

    const changed = await harness.admin.put<Schema>(`./schemas/${schema_id}`, {
      response_format: formatOf('total', 'date'),
    });
    expect(changed.body).toMatchObject({ schema_id, schema_version: 2 });
    const renamed = await harness.admin.put<Schema>(`./schemas/${schema_id}`, { name: 'Bill' });
    expect(renamed.body).toMatchObject({ schema_revid: changed.body.schema_revid, schema_version: 2, name: 'Bill' });

    const first = await harness.admin.get<Schema>(`./schemas/${schema_revid}`);
    expect(first.body).toMatchObject({ schema_version: 1, name: 'Bill', response_format: formatOf('total') });
    const versions = await harness.admin.get<{ schemas: Schema[]; total_count: number }>(
      `./schemas/${schema_id}/versions`,
    );
    expect(versions.body.schemas.map((schema: Schema) => schema.schema_version)).toEqual([2, 1]);
    const listed = await harness.admin.get<{ schemas: Schema[]; total_count: number }>(
      './schemas?name_search=bIlL&limit=5',
    );
    expect(listed.body).toMatchObject({ total_count: 1, skip: 0, limit: 5, schemas: [{ schema_version: 2 }] });
  });

  it('numbers concurrent changes differently', async () => {
    const { schema_id } = await create('Busy');
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const answers = await Promise.all(
      names.map((name) => harness.admin.put<Schema>(`./schemas/${schema_id}`, { response_format: formatOf(name) })),
    );
    expect(new Set(answers.map(({ body }) => body.schema_version))).toEqual(new Set([2, 3, 4, 5, 6, 7]));
  });

  it('cannot be deleted while a current prompt uses it; its revisions stay', async () => {
    const { schema_id, schema_revid } = await create('Used');
    const prompt = (await harness.admin.post<Prompt>('./prompts', { name: 'Reader', content: 'Read.', schema_id }))
      .body;
    const refused = await harness.admin.delete(`./schemas/${schema_id}`);
    expect([refused.status, refused.error?.code]).toEqual([400, 'schema_in_use']);
    expect(refused.error?.message).toContain('Reader');

    await harness.admin.put<Prompt>(`./prompts/${prompt.prompt_id}`, { schema_id: null });
    expect((await harness.admin.delete(`./schemas/${schema_id}`)).status).toBe(204);
    expect((await harness.admin.get<Schema>(`./schemas/${schema_revid}`)).status).toBe(200);
    expect(
      (await harness.admin.get<{ schemas: Schema[]; total_count: number }>(`./schemas/${schema_id}/versions`)).status,
    ).toBe(404);
    expect((await harness.admin.put<Schema>(`./schemas/${schema_id}`, { name: 'x' })).status).toBe(404);
    expect((await harness.admin.delete(`./schemas/${schema_id}`)).status).toBe(404);
    expect(
      (await harness.admin.get<{ schemas: Schema[]; total_count: number }>('./schemas?name_search=Used')).body
        .total_count,
    ).toBe(0);
  });

  it('preserves the order of fields, and names that are special in databases', async () => {
    const format = formatOf('z', '$ref', '10', 'a');
    const { body } = await harness.admin.post<Schema>('./schemas', { name: 'Odd', response_format: format });
    const read = await harness.admin.get<Schema>(`./schemas/${body.schema_revid}`);
    expect(JSON.stringify(read.body.response_format)).toBe(JSON.stringify(format));
  });
});

describe('a request is rejected', () => {
  it('for an invalid schema with 400 and paths, for a malformed body with 422', async () => {
    const broken = formatOf('a');
    broken.json_schema.schema.required = [];
    const answer = await harness.admin.post<Schema>('./schemas', { name: 'x', response_format: broken });
    expect([answer.status, answer.error?.code]).toEqual([400, 'invalid_schema']);
    expect(answer.error?.details).toEqual([{ path: 'required', message: expect.stringContaining('"a"') }]);
    const { schema_id } = await create('Whole');
    expect((await harness.admin.put<Schema>(`./schemas/${schema_id}`, { response_format: broken })).status).toBe(400);
    for (const body of [
      { name: 'x' },
      { name: '', response_format: formatOf() },
      { name: 'x', response_format: 'no' },
    ]) {
      expect((await harness.admin.post<Schema>('./schemas', body)).status).toBe(422);
    }
  });

  it('for other organizations, viewers and malformed ids', async () => {
    const { schema_id, schema_revid } = await create('Private');
    const stranger = await harness.addOrganization();
    expect((await stranger.get<Schema>(`./schemas/${schema_revid}`)).status).toBe(404);
    expect(
      (await stranger.get<{ schemas: Schema[]; total_count: number }>(`./schemas/${schema_id}/versions`)).status,
    ).toBe(404);
    expect((await stranger.put<Schema>(`./schemas/${schema_id}`, { name: 'mine' })).status).toBe(404);
    expect((await stranger.delete(`./schemas/${schema_id}`)).status).toBe(404);
    expect((await stranger.post(`./schemas/${schema_revid}/validate`, { data: {} })).status).toBe(404);
    expect((await stranger.get(`/v0/orgs/${harness.admin.organizationId}/schemas`)).status).toBe(404);
    expect((await harness.admin.get('./schemas/not-an-id')).status).toBe(404);
    expect((await harness.admin.get<Schema>(`./schemas/${'0'.repeat(24)}`)).status).toBe(404);

    const viewer = await harness.addUser('viewer');
    expect((await viewer.get<Schema>(`./schemas/${schema_revid}`)).status).toBe(200);
    for (const refused of [
      await viewer.post<Schema>('./schemas', { name: 'x', response_format: formatOf() }),
      await viewer.put<Schema>(`./schemas/${schema_id}`, { name: 'x' }),
      await viewer.delete(`./schemas/${schema_id}`),
    ]) {
      expect(refused.status).toBe(403);
    }
  });
});

it('validates data against a revision', async () => {
  const { schema_revid } = await create('Check');
  const good = await harness.admin.post(`./schemas/${schema_revid}/validate`, { data: { total: '1' } });
  expect(good.body).toEqual({ valid: true, errors: [], failed_checks: [] });
  const bad = await harness.admin.post(`./schemas/${schema_revid}/validate`, { data: { total: 1 } });
  expect(bad.body).toEqual({
    valid: false,
    errors: [{ path: 'total', message: 'must be string,null' }],
    failed_checks: [],
  });
});

it('validates data against the checks of a revision', async () => {
  const checks = [{ id: 'same', expression: 'total == net', message: 'Total is not net', severity: 'warning' }];
  const body = { name: 'Checked', response_format: formatOf('total', 'net'), checks };
  const { schema_revid } = (await harness.admin.post<Schema>('./schemas', body)).body;
  const validate = async (data: object) =>
    (await harness.admin.post(`./schemas/${schema_revid}/validate`, { data })).body;
  expect(await validate({ total: '1', net: '1' })).toEqual({ valid: true, errors: [], failed_checks: [] });
  const failed = { id: 'same', message: 'Total is not net', severity: 'warning', fields: ['total', 'net'] };
  expect(await validate({ total: '1', net: '2' })).toEqual({ valid: true, errors: [], failed_checks: [failed] });
});

it('repeats the answer of a repeated call and writes nothing', async () => {
  const schemas = harness.services.schemas(harness.admin.actor);
  const response_format = (await create('Seed')).response_format;
  const created = await schemas.create({ name: 'Once', response_format }, { call_id: 'call-create' });
  expect(await schemas.create({ name: 'Once', response_format }, { call_id: 'call-create' })).toEqual(created);
  const renamed = await schemas.update(created.schema_id, { name: 'Twice' }, { call_id: 'call-rename' });
  await schemas.update(created.schema_id, { name: 'Thrice' });
  expect(await schemas.update(created.schema_id, { name: 'Twice' }, { call_id: 'call-rename' })).toEqual(renamed);
  expect((await schemas.getCurrent(created.schema_id)).name).toBe('Thrice');
  await schemas.delete(created.schema_id, { call_id: 'call-delete' });
  await schemas.delete(created.schema_id, { call_id: 'call-delete' });
  await expect(schemas.delete(created.schema_id, { call_id: 'another' })).rejects.toMatchObject({ kind: 'not_found' });
});
