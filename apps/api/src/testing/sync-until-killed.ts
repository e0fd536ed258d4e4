import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { buildApp } from '../app.ts';
import { connectDatabase } from '../platform/database/connection.ts';
import { createReadiness } from '../platform/http/readiness.ts';
import { readSettings } from '../platform/settings/settings.ts';
import { migrate } from '../process/migrations/migrate.ts';
import { migrations } from '../process/migrations/migrations.ts';

/** Syncs the sources that are due, again and again, and prints a line when it starts, until killed. */

const [uri = '', organizationId = '', folder = '', hosts = ''] = process.argv.slice(2);
const connection = await connectDatabase(uri);
const { services } = await buildApp({
  settings: readSettings({ INLET_DIRS: `${organizationId}=${folder}`, LLM_ALLOWED_HOSTS: hosts }),
  appSecret: 'a secret for tests only',
  connection,
  llmEndpoint: { baseUrl: 'http://127.0.0.1:9/v1', apiKey: undefined, model: 'no-model' },
  logger: pino({ level: 'silent' }),
  readiness: createReadiness([]),
  apiProcesses: () => 1,
});
// With the indexes of the product: without them each file costs more the more files there are.
await migrate(connection, migrations);
process.stdout.write('ready\n');
for (;;) {
  await services.syncSources(new AbortController().signal);
  await sleep(20);
}
