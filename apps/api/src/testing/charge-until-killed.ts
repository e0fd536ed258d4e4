import { scriptedLlm } from '@docwright/agent-core/testing';
import { connectDatabase } from '../platform/database/connection.ts';
import { usageFeature } from '../features/usage/feature.ts';

/** Makes model calls one after another and prints a line for each completed answer, until killed. */

const [uri = '', organizationId = ''] = process.argv.slice(2);
const { meter } = usageFeature.create({ connection: await connectDatabase(uri) });
const caller = { organizationId, userId: 'u', threadId: 't' };
for (;;) {
  const client = meter(scriptedLlm([{ text: 'An answer.' }]), caller, () => false);
  for await (const [chunk] of client.stream({ model: 'm', messages: [] })) {
    if (chunk?.type === 'finish') process.stdout.write('answered\n');
  }
}
