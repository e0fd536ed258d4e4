import type { Readable, Writable } from 'node:stream';
import { DocwrightError } from '../client/docwright-error.ts';
import { readBaseUrl } from '../client/base-url.ts';
import { createDocwright, type Docwright } from '../create-docwright.ts';
import type { Asker } from './asker.ts';
import { readConfig } from './config-file.ts';
import { resolveOrganization } from './names.ts';
import type { Output, OutputStream } from './output.ts';

/** Options that every command takes. */
export interface GlobalOptions {
  url?: string;
  org?: string;
  json?: true;
  debug?: true;
  color: boolean;
}

/** What a command is run with: the process itself, or what stands for it. */
export interface Surroundings {
  env: NodeJS.ProcessEnv;
  stdin: Readable & { isTTY?: boolean; setRawMode?: (raw: boolean) => unknown };
  stdout: Writable & OutputStream;
  stderr: Writable & OutputStream;
}

/** All that a command works with; tests give their own. */
export interface CommandContext extends Pick<Surroundings, 'env' | 'stdout' | 'stderr'> {
  global: GlobalOptions;
  output: Output;
  /** Asks the person, or reads what was piped in. */
  asker: Asker;
  /** Ctrl-C; the function it gives takes the listener away again. */
  onInterrupt(listener: () => void): () => void;
  /** Aborted by Ctrl-C where no one listens to it. */
  signal: AbortSignal;
}

const localServer = 'http://127.0.0.1:3000';

/** Which server is meant: `--url`, DOCWRIGHT_URL, the last sign-in, else the local one. */
export async function serverAddress({ env, global }: CommandContext): Promise<string> {
  const named = global.url ?? (env['DOCWRIGHT_URL'] || undefined);
  if (named !== undefined) return readBaseUrl(named);
  return (await readConfig(env)).current ?? localServer;
}

/** As whom, and in which organization, a server is spoken to. */
export interface Login {
  baseUrl: string;
  token: string;
  /** The person's first one where none is named. */
  organizationId: string | undefined;
}

/** Of whoever is signed in. */
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

/** A client for whoever is signed in. */
export async function signedIn(context: CommandContext): Promise<Docwright> {
  return createDocwright(await loginOf(context));
}
