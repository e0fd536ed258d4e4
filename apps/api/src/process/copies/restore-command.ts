import { resolve } from 'node:path';
import { readSettings, SettingsError } from '../../platform/settings/settings.ts';
import { StartError } from '../start-error.ts';
import { checkBackUp, restore } from './restore.ts';

const usage =
  'Name a back-up: npm run restore -- <folder> restores it into DATA_DIR or MONGODB_URI, npm run restore -- check <folder> only checks it.';

/** Checks a back-up against its manifest, and restores it into an empty database. No server may be running on that one. */
try {
  const given = process.argv.slice(2);
  const onlyChecks = given.length === 2 && given[0] === 'check';
  const named = onlyChecks ? given[1] : given[0];
  if (named === undefined || (!onlyChecks && (given.length > 1 || named === 'check'))) throw new StartError(usage);
  const folder = resolve(named);
  if (onlyChecks) {
    const { collections, records } = await checkBackUp(folder);
    console.log(`${folder} is as it was made: ${records} records of ${collections} collections.`);
  } else {
    const { dataDir, mongodbUri: uri, appSecret } = readSettings(process.env);
    const hasSecret = appSecret !== undefined;
    const { collections, records } = await restore({ folder, dataDir, uri, hasSecret, log: console.log });
    console.log(
      `${records} records of ${collections} collections were restored and compared by their SHA-256. Start with the same settings.`,
    );
  }
} catch (error) {
  if (!(error instanceof SettingsError || error instanceof StartError)) throw error;
  console.error(error.message);
  process.exit(1);
}
