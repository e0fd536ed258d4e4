import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../apps/api/src/testing/test-app.ts';
import type { TestAnswer } from '../../apps/api/src/testing/test-client.ts';

/** The used parts of the OpenAPI document. */
interface Schema {
  $ref?: string;
  type?: string;
  pattern?: string;
  format?: string;
  enum?: unknown[];
  const?: unknown;
  maxLength?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  items?: Schema | boolean;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}
interface OpenApi {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema?: Schema }> } }>>;
  components: { schemas: Record<string, Schema> };
}

let app: TestApp;
let document: OpenApi;
beforeAll(async () => {
  app = await startTestApp();
  document = (await app.admin.get<OpenApi>('/docs/json')).body;
});
afterAll(async () => app.stop());

/** The paths of a body's fields without a limit. */
function unboundedIn(given: Schema | boolean, place: string, above: readonly string[] = []): string[] {
  if (typeof given === 'boolean' || Object.keys(given).every((key) => key === 'description' || key === 'examples')) {
    return given === false ? [] : [`${place}: anything`];
  }
  if (given.$ref !== undefined) {
    if (above.includes(given.$ref)) return [];
    return unboundedIn(document.components.schemas[given.$ref.split('/').at(-1)!]!, place, [...above, given.$ref]);
  }
  if (given.enum !== undefined || given.const !== undefined) return [];
  const { type, pattern, format, properties = {}, items, additionalProperties } = given;
  const found = [...(given.anyOf ?? []), ...(given.oneOf ?? []), ...(given.allOf ?? [])].flatMap((option) =>
    unboundedIn(option, place, above),
  );
  // A pattern limits the length if it is anchored and has no unbounded repetition.
  const isBoundPattern = pattern !== undefined && /^\^.*\$$/u.test(pattern) && !/[*+]|,\}/u.test(pattern);
  if (type === 'string' && given.maxLength === undefined && !isBoundPattern && format !== 'binary')
    found.push(`${place}: string`);
  if (type === 'array') {
    if (given.maxItems === undefined) found.push(`${place}: array`);
    if (items !== undefined) found.push(...unboundedIn(items, `${place}[]`, above));
  }
  for (const [name, inner] of Object.entries(properties)) found.push(...unboundedIn(inner, `${place}.${name}`, above));
  if (additionalProperties !== undefined && additionalProperties !== false) found.push(`${place}: object`);
  return found;
}

const organization = '/v0/orgs/{org_id}';
/** Fields with a limit that OpenAPI cannot express, and the code that enforces it. */
const limitedOtherwise: Record<string, string> = {
  [`PATCH ${organization}/documents/{document_id} .metadata: object`]: '64 kB of JSON: sizes.test.ts',
  [`PATCH ${organization}/documents/{document_id} .set_metadata: object`]: '64 kB of JSON: sizes.test.ts',
  [`POST ${organization}/webhooks .headers: object`]: '20 headers: webhooks.test.ts',
  [`PATCH ${organization}/webhooks/{webhook_id} .headers: object`]: '20 headers: webhooks.test.ts',
  [`PATCH ${organization}/documents/{document_id}/extractions/{prompt_revid} .value: anything`]:
    'the whole result 1 MB: sizes.test.ts',
  [`POST ${organization}/permission_rules .when.equals: anything`]: '`condition_too_long`: below',
  [`POST ${organization}/permission_rules/simulate .when.equals: anything`]: '`condition_too_long`: below',
  [`POST ${organization}/review/decide .decisions[].value: anything`]: 'the whole result 1 MB: sizes.test.ts',
  [`PUT ${organization}/llm/providers/{name} .reasoning: object`]: '1,000 models of 200 characters: the contract',
  'POST /api/schema-chat .documentAnalyses[]: object': '200 kB together: below',
  'POST /api/schema-chat .featureFlags: object': '100 flags: below',
  'POST /mcp : anything': 'the body 4 MB, and the schemas of the tools: below',
  'POST /v0/oauth/register : object': 'the body 64 kB, and each field that is kept: below',
  'POST /v0/oauth/register .client_name: string': 'the body 64 kB, and each field that is kept: below',
  'POST /v0/oauth/register .redirect_uris[]: string': 'the body 64 kB, and each field that is kept: below',
  'POST /v0/oauth/token : object': 'the body 4 MB; nothing of it is kept: below',
  [`POST ${organization}/documents .documents[].content: string`]: 'MAX_UPLOAD_MB for each file',
  [`POST ${organization}/documents .documents[].metadata: object`]: '64 kB of JSON: sizes.test.ts',
  [`POST ${organization}/documents .metadata: string`]: '64 kB of JSON: sizes.test.ts',
  [`POST ${organization}/documents .tag_ids: string`]: 'one megabyte a field, and 100 tags: below',
  [`POST ${organization}/schemas/{id}/validate .data: anything`]: 'the body 4 MB; nothing of it is kept: below',
};
const schemaBodies = ['POST /evaluations', 'POST /evaluations/estimate', 'POST /schemas', 'PUT /schemas/{id}'];
for (const [route, body] of [
  [`POST ${organization}/routes`, ''],
  [`PATCH ${organization}/routes/{route_id}`, ''],
  [`POST ${organization}/routes/simulate`, '.routes[]'],
]) {
  limitedOtherwise[`${route} ${body}.when.metadata: object`] = '20 keys of 200 characters: the contract';
  limitedOtherwise[`${route} ${body}.then.metadata: object`] = '64 kB of JSON: the contract';
}
for (const route of [
  `PATCH ${organization}`,
  `PATCH ${organization}/members/{user_id}`,
  `PUT ${organization}/budget`,
  `PUT ${organization}/llm/providers/{name}`,
  `PATCH ${organization}/routes/{route_id}`,
  `PUT ${organization}/prompts/{id}`,
  `PUT ${organization}/schemas/{id}`,
  `PUT ${organization}/tags/{tag_id}`,
  `PATCH ${organization}/webhooks/{webhook_id}`,
  `PATCH ${organization}/documents/{document_id}`,
  `PATCH ${organization}/schedules/{schedule_id}`,
  'PUT /api/v1/{user_id}/tasks/{task_id}',
  'PATCH /api/v2/sources/{source_id}',
]) {
  limitedOtherwise[`${route} .seen: object`] = '200 fields, and the body 4 MB: below';
}
for (const name of schemaBodies) {
  const place = `${name.replace(' ', ` ${organization}`)} .response_format.json_schema.schema: object`;
  limitedOtherwise[place] = 'the rules of schemas: below';
}

it('each string, list and object in the body of a route has a limit', () => {
  const found = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) =>
      Object.values(requestBody?.content ?? {}).flatMap(({ schema = {} }) =>
        unboundedIn(schema, `${method.toUpperCase()} ${path} `),
      ),
    ),
  );
  expect(found.length).toBeGreaterThan(10);
  expect([...new Set(found)].filter((place) => limitedOtherwise[place] === undefined)).toEqual([]);
  // Fields that the schema limits by now must leave the list.
  expect(Object.keys(limitedOtherwise).filter((place) => !found.includes(place))).toEqual([]);
});

const kb = (count: number) => 'x'.repeat(count * 1024);

describe('a part of a request without a limit in the OpenAPI document', () => {
  const refused = ({ status }: TestAnswer<unknown>, expected: number[]) => expect(expected).toContain(status);

  it('is refused beyond the limit in the code', async () => {
    const { admin } = app;
    const column = { id: 'a', name: 'A', type: 'text' };
    const chat = {
      mode: 'chat',
      messages: [{ role: 'user', content: 'Hi' }],
      settings: {},
      currentColumns: [column],
      projectId: 'p',
    };
    const analyses = Array.from({ length: 20 }, () => ({ documentName: 'a', more: kb(20) }));
    refused(await admin.post('/api/schema-chat', { ...chat, documentAnalyses: analyses }), [422]);
    const flags = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`f${at}`, true]));
    refused(await admin.post('/api/schema-chat', { ...chat, featureFlags: flags }), [422]);

    const properties = Object.fromEntries(
      Array.from({ length: 3_000 }, (_, at) => [`field_${at}`, { type: 'string', description: kb(1) }]),
    );
    const schema = { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
    const response_format = { type: 'json_schema', json_schema: { name: 'large', strict: true, schema } };
    refused(await admin.post('./schemas', { name: 'Large', response_format }), [400, 422]);

    const rule = { tool: 'create_tag', effect: 'ask', scope: 'organization' };
    refused(await admin.post('./permission_rules', { ...rule, when: { path: 'name', equals: kb(11) } }), [400, 422]);
    const deep = { ...rule, when: { path: 'name', equals: { deep: [kb(11)] } } };
    refused(await admin.post('./permission_rules', deep), [400, 422]);
    expect((await admin.get<{ total_count: number }>('./permission_rules')).body.total_count).toBe(0);

    const seen = Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`field_${at}`, 1]));
    const refusal = await admin.request('PATCH', `./webhooks/${'f'.repeat(24)}`, { payload: { name: 'a', seen } });
    refused(refusal, [422]);

    const client = { redirect_uris: ['http://127.0.0.1:7777/back'], client_name: kb(200) };
    const registered = await admin.post<{ client_name: string }>('/v0/oauth/register', client);
    expect([400, 413].includes(registered.status) || registered.body.client_name.length <= 200).toBe(true);
    const many = { redirect_uris: Array.from({ length: 2_000 }, (_, at) => `http://127.0.0.1:7777/${at}`) };
    refused(await admin.post('/v0/oauth/register', many), [400]);
  });

  it.each(['/mcp', '/v0/oauth/register', './schemas', './schemas/ffffffffffffffffffffffff/validate', './tags'])(
    'is refused at %s beyond 4 MB in all',
    async (path) => {
      const answer = await app.admin.post(path, { data: kb(4_200) });
      expect(answer.status).toBe(413);
    },
  );

  it('is refused in an address that is longer than the limit of headers', async () => {
    const answer = await fetch(`${app.address}/v0/orgs/${app.admin.organizationId}/documents?tag_ids=${kb(20)}`);
    expect([414, 431]).toContain(answer.status);
  });

  it('is refused in a field beside files', async () => {
    const form = new FormData();
    form.append('files', new Blob(['Total: 5']), 'b.txt');
    form.append('tag_ids', Array.from({ length: 101 }, () => 'f'.repeat(24)).join(','));
    const url = `${app.address}/v0/orgs/${app.admin.organizationId}/documents`;
    const headers = { authorization: `Bearer ${app.admin.accessToken}` };
    expect((await fetch(url, { method: 'POST', headers, body: form })).status).toBe(422);
    form.set('tag_ids', kb(1_100));
    expect([413, 422]).toContain((await fetch(url, { method: 'POST', headers, body: form })).status);
  });
});
