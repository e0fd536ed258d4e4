import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { errorCodes } from '@docwright/contract';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { longestTurn } from '../../../../../../tests/timing/longest-turn.ts';
import { startTestApp, type TestApp } from '../../../testing/test-app.ts';
import { longOperations } from '../../long-values/long-answers.ts';
import { openApiTags } from './open-api.ts';

interface Operation {
  operationId?: string;
  summary?: string;
  tags?: string[];
  security?: unknown[];
  requestBody?: { required: boolean; content: Record<string, { schema: { $ref?: string } }> };
  responses: Record<string, { $ref?: string; content?: object }>;
}
type Schema = Record<string, unknown>;
interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, { description: string }>; schemas: Record<string, Schema> };
}

const routes: RouteOptions[] = [];
let harness: TestApp;
let source: string;
let document: OpenApi;
let longestStep: number;
let operations: (Operation & { name: string })[];
beforeAll(async () => {
  const watch = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', (route) => void routes.push(route));
  };
  subscribe('fastify.initialization', watch);
  harness = await startTestApp();
  unsubscribe('fastify.initialization', watch);
  const making = await longestTurn(async () => {
    source = (await harness.app.inject({ url: '/docs/json' })).body;
  });
  longestStep = making.longest;
  document = JSON.parse(source) as OpenApi;
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, name: `${method} ${path}` })),
  );
});
afterAll(async () => {
  await harness.stop();
});

test('lists every registered route', () => {
  const served = routes.filter(({ method, url }) => method !== 'HEAD' && !/^\/docs(\/|$)/.test(url));
  expect(served.length).toBeGreaterThan(15);
  expect(operations.map(({ name }) => name).toSorted()).toEqual(served.map(documentedName).toSorted());
});

function documentedName({ method, url }: Pick<RouteOptions, 'method' | 'url'>): string {
  return `${String(method).toLowerCase()} ${url.replaceAll(/:(\w+)/g, '{$1}')}`;
}

test('is valid: references, examples, parameters, names', async () => {
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      // An extension refers to the events of a stream beside JSON.
      'no-unused-components': 'off',
      // `from-columns` beside `{id}`: ids have 24 hex digits.
      'no-ambiguous-paths': 'off',
      // Probes have no 4xx, and GET /mcp only answers 405.
      'operation-2xx-response': 'off',
      'operation-4xx-response': 'off',
      'operation-operationId': 'error',
      'operation-operationId-unique': 'error',
      'tag-description': 'error',
      'no-invalid-media-type-examples': 'error',
    },
  });
  const problems = await lintFromString({ source, config });
  expect(problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`)).toEqual([]);
});

test('has a valid client method name, a summary and a described group for each operation', () => {
  const groups = openApiTags.map(({ name }) => name);
  const lacking = operations.filter(
    ({ operationId, summary, tags }) =>
      !/^[a-z][a-zA-Z]{2,40}$/.test(operationId ?? '') ||
      !summary ||
      tags?.length !== 1 ||
      !groups.includes(tags[0] ?? ''),
  );
  expect(lacking.map(({ name }) => name)).toEqual([]);
});

test('lists the errors of each operation, common ones and its own', () => {
  const described = (name: string, status: number) => {
    const { $ref = '' } = operations.find((operation) => operation.name === name)?.responses[status] ?? {};
    return document.components.responses[$ref.replace('#/components/responses/', '')]?.description;
  };
  const { conflict, unauthenticated } = errorCodes;
  expect(described('post /v0/orgs/{org_id}/tags', 409)).toBe(
    `- \`tag_name_taken\`: ${conflict.tag_name_taken}\n- \`too_many_tags\`: ${conflict.too_many_tags}`,
  );
  expect(described('post /v0/auth/login', 401)).toBe(
    `- \`second_factor_needed\`: ${unauthenticated.second_factor_needed}\n- \`wrong_credentials\`: ${unauthenticated.wrong_credentials}`,
  );
  expect(described('get /v0/me', 401)).toContain('`not_signed_in`');
  expect(described('get /health', 401)).toBeUndefined();
  expect(described('post /api/schema-chat', 400)).toContain('`decided_twice`');
  expect(described('post /v0/orgs/{org_id}/documents/{document_id}/chat/approve', 400)).not.toContain(
    '`decided_twice`',
  );
});

test('is made once, in steps, and stored compressed: many requests for it need no work', async () => {
  expect(longestStep).toBeLessThan(500);
  for (const [encoding, unpack] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    for (const url of ['/docs/json', '/docs/yaml']) {
      const answer = await harness.app.inject({ url, headers: { 'accept-encoding': `deflate, ${encoding};q=0.5` } });
      expect(answer.headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding' });
      expect(answer.headers['content-length']).toBe(String(answer.rawPayload.length));
      expect(unpack(answer.rawPayload).toString()).toBe(source);
    }
  }
  const refused = await harness.app.inject({
    url: '/docs/json',
    headers: { 'accept-encoding': 'br;q=0, gzip; q=0.0' },
  });
  expect([refused.headers['content-encoding'], refused.body]).toEqual([undefined, source]);
});

test('describes forms and optional bodies', () => {
  const bodyOf = (id: string) => operations.find(({ operationId }) => operationId === id)?.requestBody;
  const form = bodyOf('uploadDocuments')?.content['multipart/form-data'];
  expect(Object.keys(named(form?.schema.$ref)?.properties ?? {})).toEqual([
    'files',
    'tag_ids',
    'metadata',
    'auto_create',
    'on_ask',
    'include_attachments',
    'password',
  ]);
  expect([bodyOf('runExtraction')?.required, bodyOf('createTag')?.required]).toEqual([false, true]);
});

const named = (reference = '') => document.components.schemas[reference.replace('#/components/schemas/', '')];

test('is ready for client generators: named objects and unions, sized integers, no object defaults, no choices in lists of a map', () => {
  const inline: string[] = [];
  const unsuitable: string[] = [];
  const check = (value: unknown, path: string, isName: boolean): void => {
    if (Array.isArray(value)) value.forEach((entry, at) => check(entry, `${path}/${at}`, false));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    const schema = value as Schema;
    if (typeof schema['properties'] === 'object' && !isName && schema['type'] === 'object') inline.push(path);
    if (schema['type'] === 'integer' && schema['format'] === undefined) unsuitable.push(`${path}: integer`);
    if (schema['maximum'] === Number.MAX_SAFE_INTEGER) unsuitable.push(`${path}: maximum`);
    if (!path.endsWith('properties') && typeof (schema['default'] ?? 0) === 'object')
      unsuitable.push(`${path}: default`);
    const { items } = (schema['additionalProperties'] ?? {}) as { items?: Schema };
    if (items !== undefined && ('enum' in items || '$ref' in items))
      unsuitable.push(`${path}: named parts of a list in a map`);
    if ('prefixItems' in schema || typeof schema['items'] === 'boolean') unsuitable.push(`${path}: tuple`);
    if (Array.isArray(schema['type']) && schema['type'].filter((one) => one !== 'null').length > 1)
      unsuitable.push(`${path}: several types`);
    const members = Array.isArray(schema['anyOf']) ? (schema['anyOf'] as Schema[]) : [];
    if (members.length > 1 && members.every((one) => 'enum' in one && !('$ref' in one)))
      unsuitable.push(`${path}: several lists of choices`);
    if (schema['const'] !== undefined && typeof schema['const'] === 'string') unsuitable.push(`${path}: const`);
    for (const [key, part] of Object.entries(schema)) {
      if (key !== 'example' && key !== 'examples') check(part, `${path}/${key}`, false);
    }
  };
  for (const [name, schema] of Object.entries(document.components.schemas)) check(schema, name, true);
  check(document.paths, 'paths', false);
  expect([inline, unsuitable]).toEqual([[], []]);
  const streaming = operations.flatMap(({ name, responses }) =>
    Object.entries(responses)
      .filter(([, { content }]) => Object.keys(content ?? {}).length > 1)
      .map(([status]) => `${name} ${status}`),
  );
  expect(streaming).toEqual([]);
  const names = Object.keys(document.components.schemas);
  expect(names).toEqual(
    expect.arrayContaining(['Document', 'DocumentList', 'ChatBody', 'TurnAnswer', 'TurnEvent', 'ApproveBody']),
  );
  expect(document.components.schemas['TurnEvent']).toMatchObject({ discriminator: { propertyName: 'type' } });
  expect(document.components.schemas['JsonValue']).toEqual({ description: 'Any JSON value.' });
});

test('describes every JSON body that is sent, except those of another protocol', () => {
  const untyped = operations.filter(({ requestBody }) => {
    const schema = requestBody?.content['application/json']?.schema;
    return schema !== undefined && !('$ref' in schema) && !('type' in schema) && !('anyOf' in schema);
  });
  expect(untyped.map(({ name }) => name)).toEqual(['post /mcp']);
});

test('marks the operations that need no sign-in', () => {
  const open = operations
    .filter(({ security }) => security !== undefined)
    .map(({ operationId }) => String(operationId));
  expect(open.toSorted()).toEqual([
    'exchangeOAuthCode',
    'followSignInLink',
    'getAuthorizationServer',
    'getHealth',
    'getMetrics',
    'getProtectedMcpResource',
    'getProtectedResource',
    'getReadiness',
    'getTaskAgentHealth',
    'login',
    'register',
    'registerOAuthClient',
  ]);
});

test('has a page for people', async () => {
  const page = await harness.app.inject({ url: '/docs/' });
  expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
});

test('the operations whose answers can be long exist', () => {
  const ids = new Set(operations.map(({ operationId }) => operationId));
  expect(longOperations.filter((id) => !ids.has(id))).toEqual([]);
});
