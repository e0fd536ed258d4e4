import type { ExecuteContext, HookContext, N8nRequestOptions } from './n8n-types.ts';

const credential = 'docwrightApi';

/** Requests below `/v0/orgs/{org_id}`, with the credential of the node. */
export interface Api {
  /** The address of the server, without a slash at its end. */
  address: string;
  request<Answer>(
    method: N8nRequestOptions['method'],
    path: string,
    more?: Pick<N8nRequestOptions, 'body' | 'qs'>,
  ): Promise<Answer>;
}

/** The API in the token's organization. */
export async function openApi(context: ExecuteContext | HookContext): Promise<Api> {
  const { url } = await context.getCredentials(credential);
  const address = String(url).trim().replace(/\/+$/u, '');
  const send = async (method: N8nRequestOptions['method'], path: string, more: Partial<N8nRequestOptions> = {}) =>
    await context.helpers.httpRequestWithAuthentication.call(context, credential, {
      method,
      url: `${address}${path}`,
      json: true,
      ...more,
    });
  const { organizations } = (await send('GET', '/v0/me')) as { organizations: { id: string }[] };
  const organization = organizations[0];
  if (organization === undefined) throw new Error('The access token belongs to no organization.');
  return {
    address,
    request: async <Answer>(method: N8nRequestOptions['method'], path: string, more?: Partial<N8nRequestOptions>) =>
      (await send(method, `/v0/orgs/${organization.id}${path}`, more)) as Answer,
  };
}
