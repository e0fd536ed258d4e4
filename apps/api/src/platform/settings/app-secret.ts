import { hkdfSync, randomBytes } from 'node:crypto';
import { link, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The secret that signs tokens and encrypts provider keys: APP_SECRET, or one that is created at the first start and
 * stored in `dataDir` with mode 0600.
 */
export async function loadAppSecret(configured: string | undefined, dataDir: string): Promise<string> {
  if (configured !== undefined) return configured;
  const file = secretFile(dataDir);
  return (await readIfExists(file)) ?? (await createSecret(file));
}

/** The path of the secret in a data directory. */
export const secretFile = (dataDir: string): string => join(dataDir, 'app-secret');

/** A 32-byte key for one purpose, so that no two uses of the secret share a key. */
export function deriveKey(appSecret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', appSecret, 'docwright', purpose, 32));
}

/** Linked into place when complete, so that a crash or a second start never sees a partial secret. */
async function createSecret(file: string): Promise<string> {
  const draft = `${file}-${randomBytes(6).toString('hex')}`;
  await writeFile(draft, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' });
  try {
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await unlink(draft);
  }
  return await readFile(file, 'utf8');
}

async function readIfExists(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}
