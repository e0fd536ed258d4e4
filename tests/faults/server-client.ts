import type { KillableServer } from './killable-server.ts';

/** A registered user with a document. */
export interface ServerClient {
  /** Paths. */
  chat: string;
  organization: string;
  documentId: string;
  /** GET, or POST with a body, unless a method is given. */
  ask(
    server: KillableServer,
    route: string,
    body?: object,
    headers?: Record<string, string>,
    method?: string,
  ): Promise<Response>;
  /** The answer of a GET; throws on an error. */
  get<Answer>(server: KillableServer, route: string): Promise<Answer>;
  post<Answer>(server: KillableServer, route: string, body: object): Promise<Answer>;
  put<Answer>(server: KillableServer, route: string, body: object): Promise<Answer>;
}

export async function registerClient(server: KillableServer, name: string): Promise<ServerClient> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  function ask(
    at: KillableServer,
    route: string,
    body?: object,
    more: Record<string, string> = {},
    method = 'POST',
  ): Promise<Response> {
    const all = { ...headers, ...more };
    const request = body === undefined ? { headers: all } : { method, headers: all, body: JSON.stringify(body) };
    return fetch(`${at.url}${route}`, request);
  }
  async function answerOf<Answer>(at: KillableServer, route: string, body?: object, method?: string): Promise<Answer> {
    const response = await ask(at, route, body, {}, method);
    const text = await response.text();
    if (!response.ok) throw new Error(`${route} answered ${response.status}: ${text}`);
    const answer: Answer = JSON.parse(text);
    return answer;
  }
  const person = { email: `${name}@example.com`, name, password: 'correct horse battery' };
  const registered = await answerOf<{ access_token: string; organization: { id: string } }>(
    server,
    '/v0/auth/register',
    person,
  );
  headers['authorization'] = `Bearer ${registered.access_token}`;
  const organization = `/v0/orgs/${registered.organization.id}`;
  // Tests upload the same bytes again and expect them to be read.
  await answerOf(server, organization, { on_duplicate: 'keep' }, 'PATCH');
  const content = Buffer.from('Total: 5').toString('base64');
  const { documents } = await answerOf<{ documents: { id: string }[] }>(server, `${organization}/documents`, {
    documents: [{ name: 'note.txt', content }],
  });
  const documentId = documents[0]?.id ?? '';
  const chat = `${organization}/documents/${documentId}/chat`;
  const put = <Answer>(at: KillableServer, route: string, body: object) => answerOf<Answer>(at, route, body, 'PUT');
  return { organization, documentId, chat, ask, get: answerOf, post: answerOf, put };
}
