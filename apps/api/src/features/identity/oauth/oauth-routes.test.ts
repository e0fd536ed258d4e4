import { createHash } from 'node:crypto';
import type { AccessToken, OAuthRequest } from '@docwright/contract';
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthTokens,
} from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/test-app.ts';
import type { TestClient } from '../../../testing/test-client.ts';

let harness: TestApp;
beforeAll(async () => {
  harness = await startTestApp();
});
afterAll(async () => harness.stop());

const redirectUri = 'http://127.0.0.1:33418/callback';
const verifier = 'v'.repeat(64);
const challenge = createHash('sha256').update(verifier).digest('base64url');

const send = (path: string, body: string, type: string) =>
  fetch(`${harness.address}${path}`, { method: 'POST', headers: { 'content-type': type }, body });
const register = async (metadata: object) => {
  const answer = await send('/v0/oauth/register', JSON.stringify(metadata), 'application/json');
  return { status: answer.status, body: (await answer.json()) as { client_id: string; error?: string } };
};
const exchange = async (form: Record<string, string>) => {
  const body = new URLSearchParams({ grant_type: 'authorization_code', redirect_uri: redirectUri, ...form });
  const answer = await send('/v0/oauth/token', body.toString(), 'application/x-www-form-urlencoded');
  return { status: answer.status, body: (await answer.json()) as Record<string, string> };
};
const requestOf = (client_id: string, more: object = {}) => ({
  client_id,
  redirect_uri: redirectUri,
  response_type: 'code',
  code_challenge: challenge,
  code_challenge_method: 'S256',
  state: 'mine',
  ...more,
});
/** Grants the request, as the web app's page does when the user agrees. */
const grant = (user: TestClient, request: object, scopes = ['read', 'propose', 'decide']) =>
  user.post<{ redirect_to: string }>('./oauth_grants', { ...request, scopes });
const codeIn = (address: string) => new URL(address).searchParams.get('code') ?? '';

describe('a client that only knows the address', () => {
  it('signs its user in, with the granted rights, and a token that the user can revoke', async () => {
    const user = await harness.addOrganization();
    let sentTo: URL | undefined;
    let client: OAuthClientInformationMixed | undefined;
    let tokens: OAuthTokens | undefined;
    let proof = '';
    const provider: OAuthClientProvider = {
      redirectUrl: redirectUri,
      clientMetadata: { client_name: 'Claude <b>Code</b>', redirect_uris: [redirectUri], scope: 'read propose decide' },
      state: () => 'mine',
      clientInformation: () => client,
      saveClientInformation: (given) => void (client = given),
      tokens: () => tokens,
      saveTokens: (given) => void (tokens = given),
      redirectToAuthorization: (url) => void (sentTo = url),
      saveCodeVerifier: (given) => void (proof = given),
      codeVerifier: () => proof,
    };
    const transport = () =>
      new StreamableHTTPClientTransport(new URL(`${harness.address}/mcp`), { authProvider: provider });
    const first = transport();
    const connecting = new Client({ name: 'claude-code', version: '1' }).connect(first);
    await expect(connecting).rejects.toBeInstanceOf(UnauthorizedError);

    expect(sentTo?.origin + (sentTo?.pathname ?? '')).toBe(`${harness.address}/authorize`);
    const request = Object.fromEntries(sentTo?.searchParams ?? []);
    const shown = await user.get<OAuthRequest>(`/v0/oauth/request${sentTo?.search}`);
    expect(shown.body).toMatchObject({ client_name: 'Claude bCodeb', place: '127.0.0.1:33418' });
    expect(shown.body.denied_redirect_to).toBe(`${redirectUri}?error=access_denied&state=mine`);
    const agreed = await grant(user, request, ['read', 'propose']);
    expect(agreed.status).toBe(201);
    expect(new URL(agreed.body.redirect_to).searchParams.get('state')).toBe('mine');

    await first.finishAuth(codeIn(agreed.body.redirect_to));
    const mcp = new Client({ name: 'claude-code', version: '1' });
    await mcp.connect(transport());
    expect((await mcp.listTools()).tools.length).toBeGreaterThan(10);
    const listed = await user.get<{ access_tokens: AccessToken[] }>('./access_tokens');
    expect(listed.body.access_tokens).toMatchObject([{ name: 'Claude bCodeb', scopes: ['read', 'propose'] }]);
    await user.delete(`./access_tokens/${listed.body.access_tokens[0]!.id}`);
    await expect(mcp.listTools()).rejects.toThrow();
    await mcp.close();
  }, 60_000);
});

describe('a code', () => {
  it('works once, only for its client, its address and the holder of the verifier', async () => {
    const { body: mine } = await register({ client_name: 'Mine', redirect_uris: [redirectUri] });
    const { body: other } = await register({ redirect_uris: [redirectUri] });
    const fresh = async () => codeIn((await grant(harness.admin, requestOf(mine.client_id))).body.redirect_to);
    const client_id = mine.client_id;
    for (const form of [
      { client_id, code: await fresh(), code_verifier: 'w'.repeat(64) },
      { client_id, code: await fresh() },
      { client_id: other.client_id, code: await fresh(), code_verifier: verifier },
      { client_id, code: await fresh(), code_verifier: verifier, redirect_uri: 'http://127.0.0.1:1/' },
      { client_id, code: 'guessed', code_verifier: verifier },
      { client_id: 'x', code: 'guessed', code_verifier: verifier },
      { client_id, code: await fresh(), code_verifier: verifier, grant_type: 'password' },
    ]) {
      const refused = await exchange(form);
      expect([400, 401]).toContain(refused.status);
      expect(refused.body['error']).toMatch(/^(invalid|unsupported|unauthorized)_/);
    }
    const form = { client_id, code: await fresh(), code_verifier: verifier };
    const both = await Promise.all([exchange(form), exchange(form)]);
    expect(both.map(({ status }) => status).filter((status) => status === 200).length).toBeLessThanOrEqual(1);
    const stored = JSON.stringify(await harness.connection.collection('oauth_codes').find().toArray());
    expect(stored).not.toContain(await fresh());
  });

  it('ends the access that it was exchanged for when it is used a second time', async () => {
    const { body } = await register({ redirect_uris: [redirectUri] });
    const code = codeIn((await grant(harness.admin, requestOf(body.client_id))).body.redirect_to);
    const form = { client_id: body.client_id, code, code_verifier: verifier };
    const { body: first } = await exchange(form);
    const statusWith = async (token?: string) =>
      (await fetch(`${harness.address}/v0/me`, { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await statusWith(first['access_token'])).not.toBe(401);
    expect((await exchange(form)).body['error']).toBe('invalid_grant');
    expect(await statusWith(first['access_token'])).toBe(401);
    const refreshed = {
      grant_type: 'refresh_token',
      client_id: body.client_id,
      refresh_token: first['refresh_token']!,
    };
    expect((await exchange(refreshed)).status).toBe(400);
  });

  it('stops working when its user has left, and viewers get none', async () => {
    const { body } = await register({ redirect_uris: [redirectUri] });
    const user = await harness.addUser('member');
    const code = codeIn((await grant(user, requestOf(body.client_id))).body.redirect_to);
    await harness.admin.delete(`./members/${user.userId}`);
    expect((await exchange({ client_id: body.client_id, code, code_verifier: verifier })).body['error']).toBe(
      'invalid_grant',
    );
    const viewer = await harness.addUser('viewer');
    expect((await grant(viewer, requestOf(body.client_id))).error?.code).toBe('viewer_cannot_write');
  });
});

describe('a refresh token', () => {
  const refresh = async (client_id: string, refresh_token: string, more: object = {}) => {
    const body = new URLSearchParams({ grant_type: 'refresh_token', client_id, refresh_token, ...more }).toString();
    const answer = await send('/v0/oauth/token', body, 'application/x-www-form-urlencoded');
    return { status: answer.status, body: (await answer.json()) as Record<string, string> };
  };
  const isAccepted = async (token = '') =>
    (await fetch(`${harness.address}/v0/me`, { headers: { authorization: `Bearer ${token}` } })).status === 200;

  async function signedIn(user = harness.admin) {
    const { body } = await register({ client_name: 'Refreshing', redirect_uris: [redirectUri] });
    const code = codeIn((await grant(user, requestOf(body.client_id), ['read'])).body.redirect_to);
    const given = await exchange({ client_id: body.client_id, code, code_verifier: verifier });
    const { access_token = '', refresh_token = '' } = given.body;
    return { client_id: body.client_id, access_token, refresh_token };
  }

  it("renews the access token's secret once, and comes with the next refresh token", async () => {
    const user = await harness.addOrganization();
    const { client_id, access_token, refresh_token } = await signedIn(user);
    expect(await isAccepted(access_token)).toBe(true);
    const both = await Promise.all([refresh(client_id, refresh_token), refresh(client_id, refresh_token)]);
    const [renewed] = both.filter(({ status }) => status === 200);
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 400]);
    expect(renewed?.body).toMatchObject({ token_type: 'Bearer', scope: 'read' });
    expect([await isAccepted(access_token), await isAccepted(renewed?.body['access_token'])]).toEqual([false, true]);
    const again = await refresh(client_id, renewed?.body['refresh_token'] ?? '');
    expect(again.status).toBe(200);
    const listed = await user.get<{ access_tokens: AccessToken[] }>('./access_tokens');
    expect(listed.body.access_tokens).toMatchObject([{ name: 'Refreshing', scopes: ['read'] }]);
    const stored = JSON.stringify(await harness.connection.collection('oauth_refresh_tokens').find().toArray());
    expect(stored).not.toContain(refresh_token);
  });

  it('does not work for another client, with more rights, after revocation, or after its user has left', async () => {
    const mine = await signedIn();
    const { body: other } = await register({ redirect_uris: [redirectUri] });
    const token = mine.refresh_token;
    for (const refused of [
      await refresh(other.client_id, token),
      await refresh(mine.client_id, 'guessed'),
      await refresh(mine.client_id, token, { scope: 'read decide' }),
    ]) {
      expect([refused.status, refused.body['error']]).toEqual([400, expect.stringMatching(/^invalid_(grant|scope)$/u)]);
    }
    const { access_tokens } = (await harness.admin.get<{ access_tokens: AccessToken[] }>('./access_tokens')).body;
    const own = access_tokens.find(({ name }) => name === 'Refreshing');
    await harness.admin.delete(`./access_tokens/${own?.id}`);
    expect((await refresh(mine.client_id, token)).body).toMatchObject({ error: 'invalid_grant' });

    const user = await harness.addUser('member');
    const theirs = await signedIn(user);
    await harness.admin.delete(`./members/${user.userId}`);
    expect((await refresh(theirs.client_id, theirs.refresh_token)).body).toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('that is reused later revokes the access, since it was stolen', async () => {
    const { client_id, refresh_token } = await signedIn();
    const renewed = await refresh(client_id, refresh_token);
    const used = { used_at: new Date(Date.now() - 3_600_000) };
    await harness.connection.collection('oauth_refresh_tokens').updateMany({ used_at: { $ne: null } }, { $set: used });
    expect((await refresh(client_id, refresh_token)).body).toMatchObject({ error: 'invalid_grant' });
    expect(await isAccepted(renewed.body['access_token'])).toBe(false);
    expect((await refresh(client_id, renewed.body['refresh_token'] ?? '')).status).toBe(400);
  });
});

describe('a request', () => {
  it.each([
    [{ redirect_uri: 'http://127.0.0.1:33418/other' }, 'not with this address'],
    [{ response_type: 'token' }, 'response_type=code'],
    [{ code_challenge_method: 'plain' }, 'S256'],
    [{ code_challenge: 'short' }, 'S256'],
    [{ resource: 'https://elsewhere.example/mcp' }, 'another server'],
  ])('with %o is rejected', async (more, words) => {
    const { body } = await register({ redirect_uris: [redirectUri] });
    const query = new URLSearchParams({ ...requestOf(body.client_id), ...more }).toString();
    const refused = await harness.admin.get(`/v0/oauth/request?${query}`);
    expect(refused.error).toMatchObject({ code: 'oauth_request_refused', message: expect.stringContaining(words) });
    const agreed = await grant(harness.admin, { ...requestOf(body.client_id), ...more });
    expect(agreed.error?.code).toBe('oauth_request_refused');
  });

  it('grants at most the requested scopes, none for admins only, and nothing to an access token', async () => {
    const { body } = await register({ redirect_uris: [redirectUri] });
    const oauthRequest = requestOf(body.client_id, { scope: 'read admin' });
    const shown = await harness.admin.get<OAuthRequest>(
      `/v0/oauth/request?${new URLSearchParams(oauthRequest).toString()}`,
    );
    expect(shown.body.scopes).toEqual(['read']);
    expect((await grant(harness.admin, oauthRequest, ['decide', 'admin'])).error?.code).toBe('oauth_request_refused');
    const made = await harness.admin.post<{ token: string }>('./access_tokens', { name: 'robot', lifetime_days: 1 });
    const robot = { ...harness.admin, accessToken: made.body.token };
    const answer = await harness.app.inject({
      method: 'POST',
      url: `/v0/orgs/${robot.organizationId}/oauth_grants`,
      headers: { authorization: `Bearer ${made.body.token}` },
      payload: { ...oauthRequest, scopes: ['read'] },
    });
    expect(answer.json()).toMatchObject({ error: { code: 'session_needed' } });
  });
});

it.each([
  [['javascript:alert(1)'], 400],
  [['data:text/html,x'], 400],
  [['http://evil.example/'], 400],
  [['https://user@evil.example/'], 400],
  [[], 400],
  ['https://a.example', 400],
  [['https://a.example/callback', 'cursor://anysphere.cursor-mcp/oauth'], 201],
])('a registration with %o answers %i', async (redirect_uris, status) => {
  expect((await register({ redirect_uris })).status).toBe(status);
});

it.each([
  ['/v0/oauth/token', 'application/json', 'Z{'],
  ['/v0/oauth/token', 'application/json', '{"grant_type":7}'],
  ['/v0/oauth/register', 'application/json', 'Z{'],
])('an unreadable body is rejected in the format of the RFC: %s %s %s', async (path, type, body) => {
  const answer = await send(path, body, type);
  expect([answer.status, await answer.json()]).toEqual([
    400,
    { error: 'invalid_request', error_description: 'The body is invalid for this endpoint. See /docs.' },
  ]);
});

it('a missing or unknown credential is answered with where to sign in', async () => {
  for (const [headers, words] of [
    [{}, 'Bearer resource_metadata='],
    [{ authorization: 'Bearer dw_unknown' }, 'error="invalid_token"'],
  ] as const) {
    const answer = await fetch(`${harness.address}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: '{}',
    });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toContain(words);
  }
  const metadata = await fetch(`${harness.address}/.well-known/oauth-protected-resource/mcp`);
  expect(await metadata.json()).toMatchObject({
    resource: `${harness.address}/mcp`,
    authorization_servers: [harness.address],
  });
});
