import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A small authorization server: it gives access tokens for refresh tokens, replaces them at each use, and can revoke them. */
export interface TokenServer {
  url: string;
  refreshTokens: Set<string>;
  accessTokens: Set<string>;
  bodies: URLSearchParams[];
  stop(): void;
}

/** @param accessTokens Where the access tokens that it gives are added to. */
export async function startTokenServer(accessTokens: Set<string>): Promise<TokenServer> {
  const refreshTokens = new Set<string>();
  const bodies: URLSearchParams[] = [];
  let count = 0;
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const body = new URLSearchParams(text);
      bodies.push(body);
      const sent = body.get('refresh_token') ?? '';
      response.setHeader('content-type', 'application/json');
      if (body.get('grant_type') !== 'refresh_token' || !refreshTokens.delete(sent)) {
        return response.writeHead(400).end(JSON.stringify({ error: 'invalid_grant' }));
      }
      count += 1;
      refreshTokens.add(`refresh-token-of-the-mailbox-${count}`);
      accessTokens.add(`access-${count}`);
      const answer = { access_token: `access-${count}`, refresh_token: `refresh-token-of-the-mailbox-${count}` };
      return response.end(JSON.stringify({ ...answer, token_type: 'Bearer', expires_in: 3600 }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`,
    refreshTokens,
    accessTokens,
    bodies,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
