import { databaseFile } from '@docwright/embedded-mongo';
import { StartError } from '../start-error.ts';
import { copyDatabase, type Copied } from './copy-database.ts';
import { exists, requireFreshFolder, useEmbedded, useServer } from './use-database.ts';

interface MoveOptions {
  dataDir: string;
  /** The other database, a MongoDB server. */
  uri: string;
  /** `to` the server from the data directory, or back `from` it into a new data directory. */
  direction: 'to' | 'from';
  log?: (line: string) => void;
}

/**
 * Copies everything between the embedded database of a data directory and a MongoDB server: all collections with files, in
 * their types, and all indexes. The target must be empty, or what an interrupted move left: it goes on. The source stays as it is.
 * @throws StartError with the reason, in one line.
 */
export async function moveDatabase({ dataDir, uri, direction, log }: MoveOptions): Promise<Copied> {
  if (direction === 'to' && !(await exists(databaseFile(dataDir))))
    throw new StartError(`No database exists in ${dataDir}: set DATA_DIR to the server's data folder.`);
  return await useServer(uri, (theirs) =>
    useEmbedded({ dataDir }, async (ours) => {
      if (direction === 'to') return await copyDatabase({ target: theirs, source: ours, log });
      await requireFreshFolder(ours, dataDir);
      return await copyDatabase({ target: ours, source: theirs, log });
    }),
  );
}
