import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** Whether a file exists and has the expected checksum. */
export async function isIntact(file: string, sha256: string): Promise<boolean> {
  return existsSync(file) && (await sha256Of(file)) === sha256;
}
