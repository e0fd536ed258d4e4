import type { Schema, SchemaColumnsAnswer } from '@docwright/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

let harness: TestApp;
beforeAll(async () => {
  harness = await startTestApp();
});
afterAll(async () => harness.stop());

const plain = { description: '', allowedValues: '', regex: '' };
const columns = [
  { id: 'x', name: 'Status', type: 'text', description: 'As stamped', allowedValues: 'open, "paid, late"', regex: '' },
  { id: 'y', name: 'Total', type: 'currency', ...plain },
  { id: 'z', name: '2024', type: 'date', ...plain, expanded: true },
];
const path = './schemas/from-columns';

it('creates a schema from columns and returns the columns of all of its revisions', async () => {
  const made = await harness.admin.post<Schema>(path, { name: 'Bills', columns, multi_row: true });
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({
    name: 'Bills',
    schema_version: 1,
    response_format: {
      json_schema: {
        name: 'bills',
        schema: {
          properties: {
            rows: {
              type: 'array',
              items: {
                properties: {
                  Status: { type: ['string', 'null'], description: 'As stamped', enum: ['open', 'paid, late', null] },
                  Total: { type: ['number', 'null'], title: 'currency' },
                  '2024': { type: ['string', 'null'], format: 'date' },
                },
                required: ['Status', 'Total', '2024'],
              },
            },
          },
        },
      },
    },
  });
  const { schema_id, schema_revid } = made.body;
  const back = await harness.admin.get<SchemaColumnsAnswer>(`./schemas/${schema_revid}/columns`);
  expect(back.status).toBe(200);
  expect(back.body).toMatchObject({
    schema_id,
    name: 'Bills',
    multi_row: true,
    columns: columns.map(({ name, type, description, allowedValues, regex }) => ({
      name,
      type,
      description,
      allowedValues,
      regex,
    })),
  });

  const change = { name: 'Bills', columns: back.body.columns.slice(1), schema_id };
  const tried = await harness.admin.post<Schema>(path, { ...change, dry_run: true });
  expect(tried).toMatchObject({ status: 200, body: { schema_id, schema_revid, schema_version: 2 } });
  expect((await harness.admin.get<{ total_count: number }>(`./schemas/${schema_id}/versions`)).body.total_count).toBe(
    1,
  );
  expect((await harness.admin.post(path, { name: 'New', columns: change.columns, dry_run: true })).status).toBe(400);
  const changed = await harness.admin.post<Schema>(path, change);
  expect(changed.body.response_format).toEqual(tried.body.response_format);
  expect(changed).toMatchObject({ status: 200, body: { schema_id, schema_version: 2 } });
  const after = await harness.admin.get<SchemaColumnsAnswer>(`./schemas/${changed.body.schema_revid}/columns`);
  expect(after.body).toMatchObject({ multi_row: false, columns: back.body.columns.slice(1) });
});

it.each([
  ['the same name twice', [columns[1], { ...columns[1], name: 'TOTAL' }], 'TOTAL'],
  ['a regex that explodes', [{ ...columns[1], type: 'text', regex: '(?:a{1,900}){1,900}' }], 'Total'],
  ['a regex that backtracks without bound', [{ ...columns[1], type: 'text', regex: '(a|aa)+$' }], 'Total'],
  ['a regex with look-around', [{ ...columns[1], type: 'text', regex: '(?=a)' }], 'Total'],
  ['a name with a dot', [{ ...columns[1], name: 'a.b' }], 'a.b'],
  ['a value that is no number', [{ ...columns[1], allowedValues: 'one' }], 'Total'],
  ['a quote that is not closed', [{ ...columns[0], allowedValues: '"a' }], 'Status'],
])('rejects %s, naming the column', async (_what, given, name) => {
  const answer = await harness.admin.post(path, { name: 'Bills', columns: given });
  expect(answer.status).toBe(400);
  expect(answer.error).toMatchObject({ code: 'invalid_columns', details: [{ path: name }] });
});

it('rejects viewers and other organizations', async () => {
  const made = await harness.admin.post<Schema>(path, { name: 'Bills', columns });
  const viewer = await harness.addUser('viewer');
  expect((await viewer.post(path, { name: 'Bills', columns })).status).toBe(403);
  expect((await viewer.get(`./schemas/${made.body.schema_revid}/columns`)).status).toBe(200);
  const stranger = await harness.addOrganization();
  expect((await stranger.get(`./schemas/${made.body.schema_revid}/columns`)).status).toBe(404);
  expect((await stranger.post(path, { name: 'Bills', columns, schema_id: made.body.schema_id })).error?.code).toBe(
    'unknown_reference',
  );
  expect((await harness.admin.get('./schemas/nonsense/columns')).status).toBe(404);
});

it('shows a schema of the document agent with lists, and preserves them', async () => {
  const row = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false };
  const schema = { ...row, properties: { line_items: { type: 'array', items: row } }, required: ['line_items'] };
  const response_format = { type: 'json_schema', json_schema: { name: 'a', strict: true, schema } };
  const { body } = await harness.admin.post<Schema>('./schemas', { name: 'A', response_format });
  const answer = await harness.admin.get(`./schemas/${body.schema_revid}/columns`);
  expect(answer).toMatchObject({
    status: 200,
    body: { columns: [], kept: [{ name: 'line_items', why: 'it is a list', columns: [{ name: 'a', type: 'text' }] }] },
  });
  const again = await harness.admin.post<Schema>(path, { name: 'A', columns, schema_id: body.schema_id });
  expect(again.body.response_format.json_schema.schema['properties']).toHaveProperty('line_items.items', row);
});

it('preserves integers and non-null constraints when columns are saved again', async () => {
  const properties = {
    count: { type: 'integer' },
    size: { type: ['null', 'integer'], enum: [1, 2, null] },
    kind: { type: 'string', enum: ['a', 'b'] },
    net: { type: 'number', title: 'currency' },
  };
  const row = { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
  const rows = { rows: { type: 'array', items: row } };
  const schema = { type: 'object', properties: rows, required: ['rows'], additionalProperties: false };
  const response_format = { type: 'json_schema', json_schema: { name: 'a', strict: true, schema } };
  const made = await harness.admin.post<Schema>('./schemas', { name: 'A', response_format });
  const { schema_id, schema_revid } = made.body;
  const shown = (await harness.admin.get<SchemaColumnsAnswer>(`./schemas/${schema_revid}/columns`)).body;
  const save = (list: unknown[]) =>
    harness.admin.post<Schema>(path, { name: 'A', columns: list, multi_row: true, schema_id });
  expect((await save(shown.columns)).body.response_format).toEqual(response_format);

  const [count, size, kind, net] = shown.columns;
  const changed = await save([
    { ...count, description: 'How many' },
    { ...size, allowedValues: '1.5' },
    { ...kind, type: 'number', allowedValues: '' },
    { ...net, name: 'Net' },
  ]);
  expect(changed.body.response_format.json_schema.schema).toMatchObject({
    properties: {
      rows: {
        items: {
          properties: {
            count: { type: 'integer', description: 'How many' },
            size: { type: ['null', 'number'], enum: [1.5, null] },
            kind: { type: ['number', 'null'] },
            Net: { type: ['number', 'null'], title: 'currency' },
          },
        },
      },
    },
  });
});

it('saves no columns over a revision that the user did not see', async () => {
  const { body: opened } = await harness.admin.post<Schema>(path, { name: 'Shared', columns });
  const change = { name: 'Shared', schema_id: opened.schema_id, base_revid: opened.schema_revid };
  const first = await harness.admin.post<Schema>(path, { ...change, columns: columns.slice(1) });
  expect(first).toMatchObject({ status: 200, body: { schema_version: 2 } });
  const late = await harness.admin.post(path, { ...change, columns: columns.slice(0, 2) });
  expect(late).toMatchObject({ status: 409, body: { error: { code: 'version_conflict' } } });
  const { body: other } = await harness.admin.post<Schema>(path, { name: 'Other', columns });
  const foreign = await harness.admin.post(path, { ...change, columns, base_revid: other.schema_revid });
  expect(foreign).toMatchObject({ status: 400, body: { error: { code: 'unknown_reference' } } });
  const next = await harness.admin.post(path, { ...change, columns, base_revid: first.body.schema_revid });
  expect(next).toMatchObject({ status: 200, body: { schema_version: 3 } });
});
