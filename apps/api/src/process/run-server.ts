import type { LoadApp } from './start-server.ts';
import type { RunningServer } from './start-server.ts';
import { createLogger } from '../platform/log/logger.ts';
import { readSettings, SettingsError, type Role } from '../platform/settings/settings.ts';
import { StartError } from './start-error.ts';
import { stopOnSignals } from './stop-signals.ts';

/** The process: starts the server, says where it is, stops it on a signal. Exit code 1 says that it could not run. */
export async function runServer(loadApp: LoadApp): Promise<void> {
  try {
    const settings = readSettings(process.env);
    const logger = await createLogger(settings);
    // Loaded only now, so that a malformed setting is named at once.
    const { startServer } = await import('./start-server.ts');
    const server = await startServer(settings, logger, loadApp, () => {
      console.error('The embedded database has ended. Start Docwright again: what was acknowledged is kept.');
      process.exit(1);
    });
    stopOnSignals(() => server.stop());
    console.log(greeting(settings.role, server));
  } catch (error) {
    if (!(error instanceof SettingsError || error instanceof StartError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}

function greeting(role: Role, { link, address }: RunningServer): string {
  if (link === undefined) return `The worker is ready. How it is: ${address}/ready and ${address}/metrics`;
  const ready = `\nDocwright is ready. Open ${link}\n`;
  if (role === 'all') return ready;
  return `${ready}This process runs no jobs (ROLE=api): start one with ROLE=worker and its own PORT on the same database, or nothing is read.\n`;
}
