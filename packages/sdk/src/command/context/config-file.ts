import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { UsageError } from './exit-codes.ts';

/** The stored sign-in of one server. */
export interface SignIn {
  token: string;
  /** The access token's id, if it was created for this command: signing out revokes it. */
  token_id?: string;
  organization_id: string;
  email?: string;
  expires_at?: string | null;
}

export interface Config {
  /** The default server. */
  current?: string;
  /** By address, so that a token is only sent to its own server. */
  servers: Record<string, SignIn>;
}

export function configPath(env: NodeJS.ProcessEnv): string {
  const windows = process.platform === 'win32' ? env['APPDATA'] : undefined;
  const named = env['XDG_CONFIG_HOME'];
  // The XDG specification requires relative paths to be ignored.
  const folder =
    named !== undefined && path.isAbsolute(named) ? named : (windows ?? path.join(env['HOME'] ?? homedir(), '.config'));
  return path.join(folder, 'docwright', 'config.json');
}

export async function readConfig(env: NodeJS.ProcessEnv): Promise<Config> {
  const place = configPath(env);
  try {
    const { current, servers } = JSON.parse(await readFile(place, 'utf8')) as Partial<Config>;
    return { ...(current !== undefined && { current }), servers: servers ?? {} };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { servers: {} };
    throw new UsageError(`${place} cannot be read. Remove it and sign in again with: docwright login`);
  }
}

/** Writes the file, readable only by its owner. It is replaced in one step, so that a crash cannot damage it. */
export async function writeConfig(env: NodeJS.ProcessEnv, config: Config): Promise<void> {
  const place = configPath(env);
  await mkdir(path.dirname(place), { recursive: true, mode: 0o700 });
  const draft = `${place}.${process.pid}`;
  try {
    await writeFile(draft, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
    await chmod(draft, 0o600);
    await rename(draft, place);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
