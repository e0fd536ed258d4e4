import type { Connection } from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/test-app.ts';
import { oauthClientModel } from './oauth-model.ts';

let app: TestApp;
let connection: Connection;
beforeAll(async () => {
  app = await startTestApp();
  ({ connection } = app);
});
afterAll(async () => app.stop());

const redirectUri = 'http://127.0.0.1:33418/callback';
async function register(redirect_uris: string[] = [redirectUri]) {
  const response = await fetch(`${app.address}/v0/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Mine', redirect_uris }),
  });
  return { status: response.status, body: (await response.json()) as { client_id: string; error?: unknown } };
}
const exists = async (id: string) => (await oauthClientModel(connection).exists({ _id: id })) !== null;

it('stores few characters of a program that nobody knows', async () => {
  const long = Array.from({ length: 3 }, (_, at) => `https://a.example/${at}/${'x'.repeat(1_500)}`);
  expect(await register(long)).toMatchObject({ status: 400, body: { error: 'invalid_redirect_uri' } });
  expect((await register(long.slice(0, 2))).status).toBe(201);
});

it('stores a bounded number of programs that nobody has let in: old ones make room, and those of others stay', async () => {
  const { body: old } = await register();
  const soon = new Date(Date.now() + 23 * 3_600_000);
  await oauthClientModel(connection).updateOne({ _id: old.client_id }, { expires_at: soon });
  const { body: used } = await register();
  await oauthClientModel(connection).updateOne(
    { _id: used.client_id },
    { $unset: { is_unused: 1 }, $set: { expires_at: soon } },
  );
  const expires_at = new Date(Date.now() + 86_400_000);
  const more = Array.from({ length: 10_000 }, () => ({ name: 'x', redirect_uris: [], is_unused: true, expires_at }));
  await oauthClientModel(connection).collection.insertMany(more);
  expect((await register()).status).toBe(201);
  expect([await exists(old.client_id), await exists(used.client_id)]).toEqual([false, true]);
  const refused = await register();
  expect(refused).toMatchObject({ status: 429, body: { error: { code: 'too_many_requests' } } });
});
