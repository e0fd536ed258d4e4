import type { LoadApp, RunningServer } from './start-server.ts';
import { createLogger } from '../platform/log/logger.ts';
import { readSettings, SettingsError, type ProcessRole } from '../platform/settings/settings.ts';
import { StartError } from './start-error.ts';

/** Starts the server, prints its address, and stops it on a signal. Exit code 1: it could not run. */
export async function runServer(loadApp: LoadApp): Promise<void> {
  try {
    const settings = readSettings(process.env);
    const logger = await createLogger(settings);
    // Loaded after the settings, so that an invalid setting is reported at once.
    const { startServer } = await import('./start-server.ts');
    const server = await startServer(settings, logger, loadApp, () => {
      console.error('The embedded database has ended. Start Docwright again: acknowledged writes are kept.');
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

function greeting(role: ProcessRole, { link, address }: RunningServer): string {
  if (link === undefined) return `The worker is ready. Status: ${address}/ready and ${address}/metrics`;
  const ready = `\nDocwright is ready. Open ${link}\n`;
  if (role === 'all') return ready;
  return `${ready}This process runs no jobs (ROLE=api): start one with ROLE=worker and its own PORT on the same database, or no document is processed.\n`;
}

/** Longer than stopping all parts takes, and shorter than service managers wait before they kill. */
const stopWithinMs = 30_000;

/** A signal to the process group also arrives through the parent: both count as one request. */
const sameRequestMs = 300;

/**
 * Ctrl-C and SIGTERM stop the server in order; a second signal ends it at once.
 * @param stop closes everything; the process then exits.
 */
function stopOnSignals(stop: () => Promise<void>): void {
  let stoppingSince: number | undefined;
  const onSignal = (): void => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince < sameRequestMs) return;
      console.error('Killed.');
      process.exit(130);
    }
    stoppingSince = performance.now();
    console.log('Stopping… (repeat to kill)');
    setTimeout(() => {
      console.error(`Stopping took longer than ${stopWithinMs / 1000} s: killed.`);
      process.exit(1);
    }, stopWithinMs).unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error('Stopping failed:', error);
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}
