import { createLogger } from '../settings/logger.ts';
import { readSettings, SettingsError } from '../settings/settings.ts';
import { StartError } from './start-error.ts';
import { stopOnSignals } from './stop-signals.ts';

/** The process: starts the server, says where it is, stops it on a signal. Exit code 1 says that it could not run. */
export async function runServer(): Promise<void> {
  try {
    const settings = readSettings(process.env);
    const logger = await createLogger(settings);
    // Loaded only now, so that a malformed setting is named at once.
    const { startServer } = await import('./start-server.ts');
    const server = await startServer(settings, logger, () => {
      console.error('The embedded database has ended. Start Docwright again: what was acknowledged is kept.');
      process.exit(1);
    });
    stopOnSignals(() => server.stop());
    console.log(server.link === undefined ? 'The worker is ready.' : `\nDocwright is ready. Open ${server.link}\n`);
  } catch (error) {
    if (!(error instanceof SettingsError || error instanceof StartError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
