import type { Document } from '@docwright/contract';
import type { DocumentOfKind } from './documents-of-kinds.ts';
import type { TestClient } from './test-client.ts';

const waitMs = 300_000;

/** Uploads documents with auto_create, all at once; returns the result of each when all runs have ended. */
export async function uploadAll(
  client: Pick<TestClient, 'get' | 'post'>,
  documents: readonly Pick<DocumentOfKind, 'name' | 'text'>[],
): Promise<Document[]> {
  const given = documents.map(({ name, text }) => ({
    name,
    content: Buffer.from(text).toString('base64'),
    auto_create: true,
  }));
  const { body } = await client.post<{ documents: Document[] }>('./documents', { documents: given });
  const until = Date.now() + waitMs;
  for (;;) {
    const { body: found } = await client.get<{ documents: Document[] }>('./documents?limit=100');
    const own = body.documents.map(({ id }) => found.documents.find((each) => each.id === id));
    const hasEnded = (each: Document | undefined) => ['proposed', 'failed'].includes(each?.auto_create?.status ?? '');
    if (own.every(hasEnded)) return own.flatMap((each) => each ?? []);
    if (Date.now() > until) throw new Error(`not ended: ${JSON.stringify(own.filter((each) => !hasEnded(each)))}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
