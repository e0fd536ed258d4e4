import { resolve } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { mongo, type Connection } from 'mongoose';
import type { Logger } from 'pino';
import packageInfo from '../../package.json' with { type: 'json' };
import { latestOf, migrate, ReleaseMismatchError } from './migrations/migrate.ts';
import { migrations } from './migrations/migrations.ts';
import type { OnUnreadable } from './migrations/readable-records.ts';
import { RunningProcesses } from '../platform/processes/running-process-repository.ts';
import { createReadiness } from '../platform/http/readiness.ts';
import { watchWrites } from '../platform/database/watch-writes.ts';
import { features } from './features.ts';
import { startJobs } from './start-jobs.ts';
import type { AppDependencies } from './app-dependencies.ts';
import type { Services } from './features.ts';
import { loadAppSecret } from '../platform/settings/app-secret.ts';
import type { Settings } from '../platform/settings/settings.ts';
import { requireModels } from '../platform/settings/recognition-models.ts';
import { startDatabase } from './start-database.ts';
import { reasonOf } from './start-database-reason.ts';
import { StartError } from './start-error.ts';
import { access, constants, mkdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';

/** Loads `app.ts`, while the database starts. */
export type LoadApp = () => Promise<{
  buildApp: (dependencies: AppDependencies) => Promise<{ app: FastifyInstance; services: Services }>;
}>;

/** How long running requests get to finish when the server stops. */
const stopWithinMs = 7_000;
const webRoot = resolve(import.meta.dirname, '../../../web/dist');

export interface RunningServer {
  /** The listening address, without a trailing slash. */
  address: string;
  /** The first page to open, with a sign-in token until a user has registered. Undefined for a worker. */
  link: string | undefined;
  stop(): Promise<void>;
}

/**
 * Starts database, migrations, model endpoint, jobs and the HTTP server, in this order, and stops all of it if one
 * fails.
 * @param onDatabaseLost called when the embedded database has ended by itself, which this process cannot recover from.
 * @throws StartError | SettingsError with the reason, in one line.
 */
export async function startServer(
  settings: Settings,
  logger: Logger,
  loadApp: LoadApp,
  onDatabaseLost: () => void,
): Promise<RunningServer> {
  const closers = createClosers();
  const runsJobs = settings.role !== 'api';
  const readiness = createReadiness(['database', 'migrations', ...(runsJobs ? (['jobs'] as const) : [])]);
  try {
    await prepareDataDirectory(settings.dataDir);
    if (settings.tracesEndpoint !== undefined) {
      const { startTracing } = await import('../platform/tracing/tracing.ts');
      closers.add(await startTracing({ endpoint: settings.tracesEndpoint, role: settings.role }));
    }
    if (runsJobs) requireModels(settings.ocr);
    if (settings.files !== undefined) await checkFiles(settings.files, logger);
    const appSecret = await loadAppSecret(settings.appSecret, settings.dataDir);
    const [database, { buildApp }] = await Promise.all([
      startDatabase(settings, logger, readiness, onDatabaseLost),
      loadApp(),
    ]);
    closers.add(() => database.close());
    const servesApi = settings.role !== 'worker';
    const facts = { release: packageInfo.version, databaseVersion: latestOf(migrations), servesApi, runsJobs };
    const processes = new RunningProcesses(database.connection, facts);
    const llmEndpoint = await startModelEndpoint(settings.llm);
    closers.add(() => llmEndpoint.close());
    const { app, services } = await buildApp({
      settings,
      appSecret,
      connection: database.connection,
      llmEndpoint,
      logger,
      readiness,
      webRoot,
      servesApi,
      apiProcesses: () => processes.apiCount,
      workerProcesses: () => processes.workerCount,
      isQuiet: () => processes.isQuiet,
    });
    closers.add(() => closeWithin(app, stopWithinMs));
    await app.ready();
    await bringUpToDate(database.connection, processes, logger, (stop) => closers.add(stop));
    readiness.up('migrations');
    const stopWatching = watchWrites(database.connection, services.jobs.wakeOnWrites(features.jobs(services)));
    closers.add(async () => stopWatching());
    if (runsJobs) {
      await startJobs(services);
      readiness.up('jobs');
    }
    const address = await listen(app, settings.host, settings.port);
    return {
      address,
      link: settings.role === 'worker' ? undefined : await firstLink(address, services),
      stop: () => closers.closeAll(),
    };
  } catch (error) {
    await closers.closeAll().catch((closing: unknown) => logger.warn({ err: closing }, 'could not close everything'));
    throw error;
  }
}

/** Fails if the bucket of the files does not work, and says whether it keeps what is removed. */
async function checkFiles(files: NonNullable<Settings['files']>, logger: Logger): Promise<void> {
  const { createFilesBucket } = await import('../features/documents/index.ts');
  const bucket = createFilesBucket(files, logger);
  try {
    await bucket.check();
  } catch (error) {
    throw new StartError(`FILES_URL: ${(error as Error).message}`);
  }
  if ((await bucket.keepsVersions()) === false) return;
  logger.warn(
    { bucket: files.bucket },
    'the bucket of FILES_URL keeps former versions, or does not say it: files that are removed for good stay there until a rule of the bucket removes them',
  );
}

/** Announces this process and runs the pending migrations. */
async function bringUpToDate(
  connection: Connection,
  processes: RunningProcesses,
  logger: Logger,
  atEnd: (stop: () => Promise<unknown>) => void,
): Promise<void> {
  try {
    await processes.start((err) => logger.debug({ err }, 'this process could not announce itself to the others'));
    atEnd(() => processes.stop());
    const onUnreadable: OnUnreadable = (record, err) =>
      logger.error({ err, ...record }, 'a record cannot be read, and a migration leaves it as it is');
    const version = await migrate(connection, migrations, () => processes.others(), onUnreadable);
    const known = latestOf(migrations);
    if (version <= known) return;
    logger.warn(
      { version, known },
      'a newer release has extended the database; this older one runs beside it until the upgrade is complete',
    );
  } catch (error) {
    throw startErrorOf(error);
  }
}

/** The error of a database that passed its probes but refuses a migration: a missing right of the user, an index. */
function startErrorOf(error: unknown): unknown {
  if (error instanceof ReleaseMismatchError) return new StartError(error.message);
  if (!(error instanceof mongo.MongoError)) return error;
  return new StartError(`The database cannot be brought up to date: ${reasonOf(error)}`);
}

async function firstLink(address: string, { identity }: Services): Promise<string> {
  const token = await identity.signIn.createLinkToken();
  return token === undefined ? `${address}/` : `${address}/sign-in?token=${token}`;
}

/** Open streams end when the application closes; requests that still run at the deadline are aborted. */
async function closeWithin(app: FastifyInstance, milliseconds: number): Promise<void> {
  const deadline = setTimeout(() => app.server.closeAllConnections(), milliseconds);
  try {
    await app.close();
  } finally {
    clearTimeout(deadline);
  }
}

function createClosers() {
  const closers: (() => Promise<unknown>)[] = [];
  return {
    add: (close: () => Promise<unknown>) => void closers.push(close),
    /** Closes all parts in reverse order; a failure does not prevent the rest. */
    async closeAll() {
      const failures: unknown[] = [];
      for (const close of closers.splice(0).reverse()) {
        await close().catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) throw new AggregateError(failures, 'not everything closed');
    },
  };
}

/** Creates DATA_DIR if it is missing, readable only by its owner. */
async function prepareDataDirectory(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(
      `DATA_DIR ${dataDir} cannot be written (${code}): give this user write access or set DATA_DIR to another folder.`,
    );
  }
}

/** Listens and returns the address for browsers. @throws StartError if the address is not available. */
async function listen(app: FastifyInstance, host: string, port: number): Promise<string> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw listenErrorOf((error as NodeJS.ErrnoException).code, host, port) ?? error;
  }
  const { port: listening } = app.server.address() as AddressInfo;
  const isWildcard = host === '0.0.0.0' || host === '::';
  const name = isWildcard ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${listening}`;
}

function listenErrorOf(code: string | undefined, host: string, port: number): StartError | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return new StartError(`PORT ${port} on ${host} is in use: stop what listens there, or set PORT to another one.`);
    case 'EACCES':
      return new StartError(`PORT ${port} is not allowed for this user: set PORT to 1024 or higher.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartError(`HOST ${host} is not an address of this machine: set HOST to 127.0.0.1 or 0.0.0.0.`);
    default:
      return undefined;
  }
}

interface StartedModelEndpoint {
  baseUrl: string;
  apiKey: string | undefined;
  model: string;
  close(): Promise<void>;
}

/** The operator's endpoint, else the demo model in this process. */
async function startModelEndpoint({ baseUrl, apiKey, model }: Settings['llm']): Promise<StartedModelEndpoint> {
  if (baseUrl !== undefined && model !== undefined) return { baseUrl, apiKey, model, close: async () => undefined };
  const { startDemoModel } = await import('@docwright/demo-model');
  const demo = await startDemoModel();
  return { baseUrl: demo.baseUrl, apiKey: undefined, model: demo.model, close: () => demo.close() };
}
