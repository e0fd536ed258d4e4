import type { AuditEntry, createdAccessToken, Tag } from '@docwright/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { z } from 'zod';
import { startMcpTestBench, type McpTestBench } from '../../apps/api/src/testing/mcp-test-bench.ts';
import type { TestClient } from '../../apps/api/src/testing/test-client.ts';

let bench: McpTestBench;
beforeAll(async () => {
  bench = await startMcpTestBench();
});
afterAll(async () => bench.stop());

async function tokenOf(person: TestClient, name: string) {
  const body = { name, lifetime_days: 1 };
  return (await person.post<z.infer<typeof createdAccessToken>>('./access_tokens', body)).body;
}

it('a question cannot be answered with another credential, not even one of the same user', async () => {
  const { id } = await bench.documentOf(bench.admin);
  const asking = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<'accept' | 'decline'>();
  const { call } = await bench.connect(bench.admin, {
    answer: () => {
      asking.resolve();
      return answer.promise;
    },
  });
  const called = call('create_tag', { document_id: id, name: 'guarded' });
  await asking.promise;
  const questions = bench.connection.collection<{ _id: string; answer?: string }>('mcp_questions');
  const question = await questions.findOne({ answer: { $exists: false }, _id: { $not: /^cancelled/u } });
  // A caller knows the question's id and has another token of the same user, or a colleague's token.
  const colleague = await bench.addUser('admin');
  for (const person of [bench.admin, colleague]) {
    const { token } = await tokenOf(person, 'other');
    const response = { jsonrpc: '2.0', id: question?._id, result: { action: 'accept', content: {} } };
    const sent = await fetch(`${bench.address}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(response),
    });
    expect(sent.status).toBe(202);
  }
  expect(await questions.findOne({ _id: question?._id ?? '' })).not.toHaveProperty('answer');
  expect((await bench.admin.get<{ tags: Tag[] }>('./tags')).body.tags).toEqual([]);
  answer.resolve('decline');
  expect((await called).isError).toBe(true);
  expect((await bench.admin.get<{ tags: Tag[] }>('./tags')).body.tags).toEqual([]);
});

it('the audit log names the token of a read-only call and of a write over the API', async () => {
  const { id: tokenId, token } = await tokenOf(bench.admin, 'reader');
  const robot = { ...bench.admin, accessToken: token };
  const { call } = await bench.connect(robot);
  expect((await call('list_tags')).isError).toBe(false);
  expect((await call('list_tasks')).isError).toBe(false);
  const url = `/v0/orgs/${bench.admin.organizationId}/tags`;
  const headers = { 'x-api-key': token };
  const written = await bench.app.inject({ method: 'POST', url, headers, payload: { name: 'by-the-robot' } });
  expect(written.statusCode).toBe(201);
  const { entries } = (await bench.admin.get<{ entries: AuditEntry[] }>('./audit')).body;
  for (const tool of ['list_tags', 'list_tasks', 'create_tag']) {
    expect(entries.find((entry) => entry.tool === tool)).toMatchObject({ token: { id: tokenId, name: 'reader' } });
  }
});
