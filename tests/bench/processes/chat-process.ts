import { setup as startDatabase } from '../../../apps/api/src/testing/shared-database.ts';
import { startTestApp } from '../../../apps/api/src/testing/test-app.ts';

/** The product's chat with the same model, and a document to chat about in each of two organizations. */

const llmEndpoint = { baseUrl: process.argv[2] ?? '', apiKey: undefined, model: 'bench' };
const stopDatabase = await startDatabase();
const harness = await startTestApp({ llmEndpoint });
const documents = [{ name: 'note.txt', content: Buffer.from('A note about nothing.').toString('base64') }];
const words: string[] = [];
for (const client of [harness.admin, await harness.addOrganization()]) {
  const uploaded = await client.post<{ documents: { id: string }[] }>('./documents', { documents });
  words.push(`/v0/orgs/${client.organizationId}/documents/${uploaded.body.documents[0]?.id}/chat`, client.accessToken);
}
console.log(`listening ${new URL(harness.address).port} ${words.join(' ')}`);
process.on('SIGTERM', () => void stop());

async function stop(): Promise<void> {
  await harness.stop();
  await stopDatabase?.();
  process.exit(0);
}
