import { DomainError, type ImapConfig } from '@docwright/contract';
import { readLimited, refusedHost } from './connector.ts';

type Oauth = NonNullable<ImapConfig['oauth']>;

export interface TokenDependencies {
  guardedFetch: typeof fetch;
  refreshToken: string;
  clientSecret: string | undefined;
  /** The server has replaced the refresh token. */
  onNewSecret: (refreshToken: string) => void;
}

const maxAnswerBytes = 64 * 1024;
const timeoutMs = 30_000;
const microsoftScope = 'https://outlook.office.com/IMAP.AccessAsUser.All offline_access';

/** Where refresh tokens are sent to. */
export function tokenUrlOf({ provider, token_url, tenant = 'common' }: Oauth): string {
  if (provider === 'microsoft') return `https://login.microsoftonline.com/${tenant}/oauth2/v2.0/token`;
  return provider === 'google' ? 'https://oauth2.googleapis.com/token' : (token_url ?? '');
}

/** An access token for a mailbox. Throws `source_refused` when the refresh token is revoked or expired. */
export async function fetchAccessToken(oauth: Oauth, dependencies: TokenDependencies): Promise<string> {
  const { guardedFetch, refreshToken, clientSecret, onNewSecret } = dependencies;
  const scope = oauth.scope ?? (oauth.provider === 'microsoft' ? microsoftScope : undefined);
  const body = new URLSearchParams({
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    client_id: oauth.client_id,
    ...(clientSecret !== undefined && { client_secret: clientSecret }),
    ...(scope !== undefined && { scope }),
  });
  let response: Response;
  try {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
    const signal = AbortSignal.timeout(timeoutMs);
    response = await guardedFetch(tokenUrlOf(oauth), { method: 'POST', headers, body: body.toString(), signal });
  } catch (error) {
    throw refusedHost(error) ?? unavailable();
  }
  const text = (await readLimited(response, maxAnswerBytes)).toString('utf8');
  if (response.status >= 500 || response.status === 429) throw unavailable();
  const answer = parsed(text);
  const { access_token, refresh_token } = answer;
  if (response.status !== 200 || typeof access_token !== 'string') {
    const why =
      typeof answer['error'] === 'string' && /^\w{1,60}$/u.test(answer['error']) ? ` (${answer['error']})` : '';
    const message = `The authorization server refuses the refresh token${why}. Sign in again and store a new one.`;
    throw new DomainError('invalid', 'source_refused', message);
  }
  if (typeof refresh_token === 'string' && refresh_token !== refreshToken) onNewSecret(refresh_token);
  return access_token;
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function unavailable(): DomainError {
  const message = 'The authorization server cannot be reached. Check the address of its tokens.';
  return new DomainError('invalid', 'source_unavailable', message);
}
