import { readSettings, SettingsError } from '../../platform/settings/settings.ts';
import { moveDatabase } from './move-database.ts';
import { StartError } from '../start-error.ts';

const usage =
  'Say where to: npm run move-database -- to mongodb://…/docwright, or npm run move-database -- from mongodb://…/docwright. DATA_DIR is the other side.';

/** Copies the embedded database in DATA_DIR to a MongoDB server, or back. No server may be running on either. */
try {
  const [direction, uri, ...more] = process.argv.slice(2);
  if ((direction !== 'to' && direction !== 'from') || uri === undefined || more.length > 0) throw new StartError(usage);
  if (!/^mongodb(?:\+srv)?:\/\//u.test(uri)) throw new StartError(usage);
  const { dataDir } = readSettings({ ...process.env, MONGODB_URI: undefined });
  const { collections, records } = await moveDatabase({ dataDir, uri, direction, log: console.log });
  const next =
    direction === 'to'
      ? 'Start with MONGODB_URI set to that address, and with the same DATA_DIR or APP_SECRET.'
      : 'Start without MONGODB_URI, with this DATA_DIR and the same APP_SECRET.';
  console.log(`${records} records of ${collections} collections were copied and compared by their SHA-256. ${next}`);
} catch (error) {
  if (!(error instanceof SettingsError || error instanceof StartError)) throw error;
  console.error(error.message);
  process.exit(1);
}
