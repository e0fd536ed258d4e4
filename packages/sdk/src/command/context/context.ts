import type { Readable, Writable } from 'node:stream';
import { readBaseUrl } from '../../client/base-url.ts';
import { DocwrightError } from '../../client/docwright-error.ts';
import { createDocwright, type Docwright } from '../../create-docwright.ts';
import type { Asker } from '../terminal/asker.ts';
import type { Output, OutputStream } from '../terminal/output.ts';
import { readConfig } from './config-file.ts';
import { resolveOrganization } from './names.ts';

/** Options of every command. */
export interface GlobalOptions {
  url?: string;
  org?: string;
  json?: true;
  debug?: true;
  color: boolean;
}

/** The process of a command; tests pass a replacement. */
export interface Surroundings {
  env: NodeJS.ProcessEnv;
  stdin: Readable & { isTTY?: boolean; setRawMode?: (raw: boolean) => unknown };
  stdout: Writable & OutputStream;
  stderr: Writable & OutputStream;
}

/** Everything that a command uses besides its arguments. */
export interface CommandContext extends Pick<Surroundings, 'env' | 'stdout' | 'stderr'> {
  global: GlobalOptions;
  output: Output;
  /** Asks the user, or reads piped input. */
  asker: Asker;
  /** Subscribes to Ctrl-C; the returned function unsubscribes. */
  onInterrupt(listener: () => void): () => void;
  /** Aborted by Ctrl-C when nothing is subscribed to it. */
  signal: AbortSignal;
}

const localServer = 'http://127.0.0.1:3000';

/** Chooses the server: `--url`, DOCWRIGHT_URL, the last sign-in, otherwise the local one. */
export async function serverAddress({ env, global }: CommandContext): Promise<string> {
  const named = global.url ?? (env['DOCWRIGHT_URL'] || undefined);
  if (named !== undefined) return readBaseUrl(named);
  return (await readConfig(env)).current ?? localServer;
}

/** The credentials and the organization for a server. */
export interface Login {
  baseUrl: string;
  token: string;
  /** Default: the user's first organization. */
  organizationId: string | undefined;
}

/**
 * The stored or given credentials.
 *
 * @throws DocwrightError `not_signed_in` without a token
 */
export async function loginOf(context: CommandContext): Promise<Login> {
  const { env, global } = context;
  const baseUrl = await serverAddress(context);
  const stored = (await readConfig(env)).servers[baseUrl];
  const ownToken = env['DOCWRIGHT_TOKEN'] || undefined;
  const token = ownToken ?? stored?.token;
  if (token === undefined) {
    const message = `Not signed in at ${baseUrl}. Sign in with: docwright login ${baseUrl}`;
    throw new DocwrightError({ code: 'not_signed_in', message, status: 401 });
  }
  const login = { baseUrl, token, organizationId: ownToken === undefined ? stored?.organization_id : undefined };
  const wanted = global.org ?? (env['DOCWRIGHT_ORG'] || undefined);
  if (wanted === undefined) return login;
  return { ...login, organizationId: await resolveOrganization(createDocwright(login), wanted, context.signal) };
}

/** A client for the signed-in user. */
export async function signedIn(context: CommandContext): Promise<Docwright> {
  return createDocwright(await loginOf(context));
}
