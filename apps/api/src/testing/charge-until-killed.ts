import { scriptedLlm } from '@docwright/agent-core/testing';
import { connectDatabase } from '../platform/database/connection.ts';
import { createStorageLimit } from '../platform/database/stored-bytes/storage-limit.ts';
import { storedBytesOf } from '../platform/database/stored-bytes/stored-bytes.ts';
import { createEventLog } from '../features/event-log/event-log-repository.ts';
import { usageFeature } from '../features/usage/feature.ts';

/** Makes model calls one after another and prints a line for each completed answer, until killed. */

const [uri = '', organizationId = ''] = process.argv.slice(2);
const connection = await connectDatabase(uri);
const { meter } = usageFeature.create({
  connection,
  eventLog: createEventLog(connection),
  storageLimit: createStorageLimit(storedBytesOf(connection), undefined),
  settings: { modelPrices: undefined, maxUnattendedModelCalls: 1 },
});
const caller = { organizationId, userId: 'u', threadId: 't' };
for (;;) {
  const client = meter(scriptedLlm([{ text: 'An answer.' }]), caller, () => false);
  for await (const [chunk] of client.stream({ model: 'm', messages: [] })) {
    if (chunk?.type === 'finish') process.stdout.write('answered\n');
  }
}
