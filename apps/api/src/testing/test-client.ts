import type { ErrorBody, Organization, Role, User } from '@docwright/contract';
import type { FastifyInstance } from 'fastify';
import supertest from 'supertest';
import type { Actor } from '../features/identity/rights/actor.ts';

export interface TestAnswer<Body> {
  status: number;
  /** Parsed if it is JSON. */
  body: Body;
  /** The error, if the body is an error body. */
  error: ErrorBody['error'] | undefined;
  headers: Record<string, unknown>;
  /** The unparsed body. */
  text: string;
}

const verbs = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const;
type Method = keyof typeof verbs;

interface RequestOptions {
  /** An object is sent as JSON, a string unchanged. */
  payload?: object | string;
  headers?: Record<string, string>;
}

/** Reads the body as text, whatever its type, so that the client decides how to parse it. */
function readText(response: supertest.Response, done: (error: Error | null, body: unknown) => void): void {
  const stream = response as unknown as NodeJS.ReadableStream;
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('error', (error: Error) => done(error, undefined));
  stream.on('end', () => done(null, Buffer.concat(chunks).toString()));
}

/** A signed-in user of one organization. Paths that start with `./` are below `/v0/orgs/{org_id}/`. */
export interface TestClient {
  userId: string;
  organizationId: string;
  email: string;
  accessToken: string;
  actor: Actor;
  request<Body>(method: Method, path: string, options?: RequestOptions): Promise<TestAnswer<Body>>;
  get<Body>(path: string): Promise<TestAnswer<Body>>;
  post<Body>(path: string, body?: unknown): Promise<TestAnswer<Body>>;
  put<Body>(path: string, body?: unknown): Promise<TestAnswer<Body>>;
  patch<Body>(path: string, body?: unknown): Promise<TestAnswer<Body>>;
  delete<Body>(path: string): Promise<TestAnswer<Body>>;
  /** The same user in another organization or role. */
  in(organizationId: string, role: Role): TestClient;
}

export function createTestClient(
  app: FastifyInstance,
  session: { user: User; organization: Pick<Organization, 'id'>; accessToken: string; role: Role },
): TestClient {
  const { user, organization, accessToken, role } = session;
  async function request<Body>(method: Method, path: string, options: RequestOptions = {}): Promise<TestAnswer<Body>> {
    const url = path.replace(/^\.\//, `/v0/orgs/${organization.id}/`);
    const agent = supertest(app.server);
    const outgoing = agent[verbs[method]](url)
      .set({ authorization: `Bearer ${accessToken}`, ...options.headers })
      .buffer(true)
      .parse(readText)
      .redirects(0);
    const response = await (options.payload === undefined ? outgoing : outgoing.send(options.payload));
    const text = String(response.body);
    const isJson = String(response.headers['content-type']).startsWith('application/json');
    const body: (Body & Partial<ErrorBody>) | undefined = isJson ? JSON.parse(text) : undefined;
    return { status: response.status, body: body as Body, error: body?.error, headers: response.headers, text };
  }
  const withBody =
    (method: Method) =>
    <Body>(path: string, body?: unknown) =>
      request<Body>(method, path, body === undefined ? {} : { payload: body as object });
  return {
    userId: user.id,
    organizationId: organization.id,
    email: user.email,
    accessToken,
    actor: { organizationId: organization.id, userId: user.id, role },
    request,
    get: (path) => request('GET', path),
    post: withBody('POST'),
    put: withBody('PUT'),
    patch: withBody('PATCH'),
    delete: (path) => request('DELETE', path),
    in: (organizationId, newRole) =>
      createTestClient(app, { user, organization: { id: organizationId }, accessToken, role: newRole }),
  };
}
