import { expect, it } from 'vitest';
import { startTestApp } from '../../../testing/test-app.ts';

it('names the public address of the settings, also if a request names another host', async () => {
  const named = await startTestApp({ settings: { PUBLIC_URL: 'https://docs.example.com/' } });
  try {
    const headers = { host: 'evil.example' };
    const read = (url: string) => named.app.inject({ method: 'GET', url, headers });
    expect((await read('/.well-known/oauth-protected-resource')).json()).toMatchObject({
      resource: 'https://docs.example.com/mcp',
      authorization_servers: ['https://docs.example.com'],
    });
    const server = await read('/.well-known/oauth-authorization-server');
    expect(server.json()).toMatchObject({ issuer: 'https://docs.example.com' });
    expect(server.body).not.toContain('evil');
    const refused = await named.app.inject({ method: 'POST', url: '/mcp', headers, payload: {} });
    expect(refused.headers['www-authenticate']).toContain('https://docs.example.com/');
  } finally {
    await named.stop();
  }
});
