import { startEmbeddedMongo } from '@docwright/embedded-mongo';
import { pino } from 'pino';
import { buildApp } from './app.ts';
import { connectDatabase } from './db/connection.ts';
import { migrate } from './db/migrate.ts';
import { migrations } from './db/migrations.ts';
import { createReadiness } from './db/readiness.ts';
import { loadAppSecret } from './settings/app-secret.ts';
import { readSettings } from './settings/settings.ts';

const settings = readSettings(process.env);
const embedded =
  settings.mongodbUri === undefined ? await startEmbeddedMongo({ dataDir: settings.dataDir }) : undefined;
const connection = await connectDatabase(settings.mongodbUri ?? embedded!.uri);
const { app } = await buildApp({
  settings,
  appSecret: await loadAppSecret(settings.appSecret, settings.dataDir),
  connection,
  llmEndpoint: { baseUrl: settings.llm.baseUrl ?? '', apiKey: settings.llm.apiKey, model: settings.llm.model ?? '' },
  logger: pino({ level: settings.logLevel }),
  readiness: createReadiness([]),
});
await app.ready();
await migrate(connection, migrations);
await app.listen({ host: settings.host, port: settings.port });
