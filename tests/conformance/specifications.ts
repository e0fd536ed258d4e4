import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const besideRepository = resolve(import.meta.dirname, '../../../shared/conformance/mongodb');

/**
 * The folder with the test data of the mongodb/specifications project, whose licence keeps it out of this repository.
 * Undefined if it is not on this machine.
 */
export const specifications = [process.env['MONGODB_SPECIFICATIONS'], besideRepository].find(
  (folder) => folder !== undefined && existsSync(folder),
);

export const howToRun =
  'set MONGODB_SPECIFICATIONS to a folder with crud, gridfs, index-management and bson-corpus of mongodb/specifications';

/** The JSON files of one folder as text, by name without ending. */
export function readSuite(folder: string): { name: string; text: string }[] {
  if (specifications === undefined) return [];
  const path = resolve(specifications, folder);
  return readdirSync(path)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => ({ name: file.slice(0, -'.json'.length), text: readFileSync(resolve(path, file), 'utf8') }));
}
