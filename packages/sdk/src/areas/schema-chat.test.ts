import { afterEach, expect, test } from 'vitest';
import { createDocwright } from '../create-docwright.ts';
import { answer, startScriptedServer } from '../testing/scripted-server.ts';

let server: Awaited<ReturnType<typeof startScriptedServer>> | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

test('schema chat names the client’s organization, and schemas are converted from and to columns', async () => {
  server = await startScriptedServer(
    answer(200, { success: true }),
    answer(200, { success: false }),
    answer(201, {}),
    answer(200, {}),
  );
  const client = createDocwright({ baseUrl: server.url, token: 'secret', organizationId: 'o1' });
  const project = { currentColumns: [], projectId: 'p' };
  await client.schemaChat.chat({ messages: [{ role: 'user', content: 'Hello' }], settings: {}, ...project });
  await client.schemaChat.execute({ toolDecisions: [], ...project });
  await client.schemas.fromColumns({ name: 'A', columns: [{ name: 'Total', type: 'currency' }] });
  await client.schemas.columns('r1');
  expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'POST /api/schema-chat',
    'POST /api/schema-chat',
    'POST /v0/orgs/o1/schemas/from-columns',
    'GET /v0/orgs/o1/schemas/r1/columns',
  ]);
  expect(server.requests[0]?.headers['x-org-id']).toBe('o1');
  expect(server.requests.slice(0, 2).map(({ body }) => JSON.parse(body) as object)).toMatchObject([
    { mode: 'chat' },
    { mode: 'execute' },
  ]);
});
