import type { ErrorBody, Organization, Role, User } from '@docwright/contract';
import type { FastifyInstance, InjectOptions } from 'fastify';
import type { Actor } from '../identity/actor.ts';

export interface TestAnswer<Body> {
  status: number;
  /** Parsed where it is JSON. */
  body: Body;
  /** The error of an error body. */
  error: ErrorBody['error'] | undefined;
  headers: Record<string, unknown>;
  /** As it came. */
  text: string;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Somebody signed in, acting in one organization. A path that starts with `./` is below `/v0/orgs/{org_id}/`. */
export interface TestClient {
  userId: string;
  organizationId: string;
  email: string;
  accessToken: string;
  actor: Actor;
  request<Body>(method: Method, path: string, options?: Partial<InjectOptions>): Promise<TestAnswer<Body>>;
  get<Body>(path: string): Promise<TestAnswer<Body>>;
  post<Body>(path: string, body?: unknown): Promise<TestAnswer<Body>>;
  put<Body>(path: string, body?: unknown): Promise<TestAnswer<Body>>;
  patch<Body>(path: string, body?: unknown): Promise<TestAnswer<Body>>;
  delete<Body>(path: string): Promise<TestAnswer<Body>>;
  /** The same person in another organization or role. */
  in(organizationId: string, role: Role): TestClient;
}

export function createTestClient(
  app: FastifyInstance,
  who: { user: User; organization: Pick<Organization, 'id'>; accessToken: string; role: Role },
): TestClient {
  const { user, organization, accessToken, role } = who;
  async function request<Body>(
    method: Method,
    path: string,
    options: Partial<InjectOptions> = {},
  ): Promise<TestAnswer<Body>> {
    const response = await app.inject({
      method,
      url: path.replace(/^\.\//, `/v0/orgs/${organization.id}/`),
      ...options,
      headers: { authorization: `Bearer ${accessToken}`, ...options.headers },
    });
    const isJson = String(response.headers['content-type']).startsWith('application/json');
    const body = isJson ? response.json<Body & Partial<ErrorBody>>() : undefined;
    return {
      status: response.statusCode,
      body: body as Body,
      error: body?.error,
      headers: response.headers,
      text: response.body,
    };
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
    actor: { organizationId: organization.id, userId: user.id, userName: user.name, role },
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
