import { backUp } from './back-up.ts';
import { StartError } from '../start-error.ts';
import { readSettings, SettingsError } from '../../platform/settings/settings.ts';

/** Backs up DATA_DIR into a new folder below the given one. A server can be running on it. */
try {
  const [targetFolder, ...more] = process.argv.slice(2);
  if (targetFolder === undefined || more.length > 0) {
    throw new StartError(
      'The target folder is missing: npm run backup -- <folder>. Each back-up is a new folder below it.',
    );
  }
  const { dataDir, mongodbUri } = readSettings(process.env);
  if (mongodbUri !== undefined) {
    throw new StartError('MONGODB_URI is set: back that database up with mongodump, and store APP_SECRET with it.');
  }
  const { folder, bytes } = await backUp(dataDir, targetFolder);
  console.log(`${folder} (${(bytes / 1024 / 1024).toFixed(1)} MB). To restore it: npm run restore -- ${folder}`);
} catch (error) {
  if (!(error instanceof SettingsError || error instanceof StartError)) throw error;
  console.error(error.message);
  process.exit(1);
}
