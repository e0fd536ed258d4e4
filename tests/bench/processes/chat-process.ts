import { setup as startDatabase } from '../../../apps/api/src/testing/shared-database.ts';
import { startTestApp } from '../../../apps/api/src/testing/test-app.ts';

/** The product's chat with the same model, and a document to chat about. */

const llmEndpoint = { baseUrl: process.argv[2] ?? '', apiKey: undefined, model: 'bench' };
const stopDatabase = await startDatabase();
const harness = await startTestApp({ llmEndpoint });
const documents = [{ name: 'note.txt', content: Buffer.from('A note about nothing.').toString('base64') }];
const uploaded = await harness.admin.post<{ documents: { id: string }[] }>('./documents', { documents });
const address = harness.address;
const path = `/v0/orgs/${harness.admin.organizationId}/documents/${uploaded.body.documents[0]?.id}/chat`;
console.log(`listening ${new URL(address).port} ${path} ${harness.admin.accessToken}`);
process.on('SIGTERM', () => void stop());

async function stop(): Promise<void> {
  await harness.stop();
  await stopDatabase?.();
  process.exit(0);
}
