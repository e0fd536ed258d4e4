import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { clientError } from '../client/docwright-error.ts';
import type { OpenedSource } from './multipart.ts';

/** Opens a file by its path. This is a separate module, because the client also runs without a file system. */
export async function openFile(source: string | URL): Promise<OpenedSource> {
  const place = source instanceof URL ? fileURLToPath(source) : source;
  const found = await stat(place).catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'ENOENT' ? 'does not exist' : `cannot be read (${error.code})`;
    throw clientError('unreadable_file', `${place} ${reason}.`, error);
  });
  if (!found.isFile()) throw clientError('unreadable_file', `${place} is not a file.`);
  return { name: path.basename(place), size: found.size, chunks: () => createReadStream(place) };
}
