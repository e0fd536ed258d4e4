import type { Document } from '@docwright/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../apps/api/src/testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => app.stop());

const schema = { type: 'object', properties: {}, required: [], additionalProperties: false };
const response_format = { type: 'json_schema', json_schema: { name: 'x', strict: true, schema } };
const connector = { kind: 'folder', config: { path: '/x' } };

describe.each([
  ['zero-width spaces', '\u200B\u200B'],
  ['joiners alone', '\u200D\u200C'],
  ['marks of direction alone', '\u200E\u200F'],
  ['letters that are not shown', '\u3164\u115F'],
  ['marks without a letter', '\u0301\uFE0F'],
  ['a blank pattern of Braille', '\u2800'],
])('a name of %s', (_what, name) => {
  it('is refused wherever a user or a model gives one', async () => {
    const { admin } = app;
    const post = (path: string, body: object) => admin.post(path, body);
    const headers = { headers: { 'x-org-id': admin.organizationId } };
    const answers = await Promise.all([
      post('./tags', { name }),
      post('./prompts', { name, content: 'Total?' }),
      post('./schemas', { name, response_format }),
      post('./schedules', { name }),
      post('./routes', { name }),
      post('./access_tokens', { name, lifetime_days: 1 }),
      post('/v0/orgs', { name }),
      admin.patch(`/v0/orgs/${admin.organizationId}`, { name }),
      admin.put('./llm/providers/own', { display_name: name }),
      post(`/api/v1/${admin.userId}/tasks`, { title: name }),
      admin.request('POST', '/api/v2/sources', { payload: { name, connector }, ...headers }),
    ]);
    for (const { status, error } of answers) {
      expect([status, error?.code]).toEqual([422, 'invalid_request']);
      expect(JSON.stringify(error)).toMatch(/name|title/iu);
    }
  });

  it('of an upload becomes one that is shown', async () => {
    const documents = [name, `${name}.txt`].map((each) => ({
      name: each,
      content: Buffer.from(each).toString('base64'),
    }));
    const { body } = await app.admin.post<{ documents: Document[] }>('./documents', { documents });
    expect(body.documents.map(({ document_name }) => document_name)).toEqual(['unnamed', 'unnamed.txt']);
    const [{ id }] = body.documents as [Document];
    const renamed = await app.admin.patch<Document>(`./documents/${id}`, { document_name: name });
    expect(renamed.body.document_name).toBe('unnamed');
  });
});

it('a name keeps what scripts and pictures need', async () => {
  for (const name of ['می‌خواهم', '👩‍👩‍👧', 'שלום\u200F', 'e\u0301']) {
    expect((await app.admin.post<{ name: string }>('./tags', { name })).body.name).toBe(name.trim());
  }
});
