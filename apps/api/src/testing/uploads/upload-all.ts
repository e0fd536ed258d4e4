import type { Document } from '@docwright/contract';
import type { DocumentOfKind } from '../documents-of-kinds.ts';
import type { TestClient } from '../test-client.ts';

/** Uploads documents with auto_create at once, and returns them when all their runs have ended. */
export async function uploadAll(
  client: Pick<TestClient, 'get' | 'post'>,
  documents: readonly Pick<DocumentOfKind, 'name' | 'text'>[],
  waitMs = 300_000,
): Promise<Document[]> {
  const given = documents.map(({ name, text }) => ({
    name,
    content: Buffer.from(text).toString('base64'),
    auto_create: true,
  }));
  const { body } = await client.post<{ documents: Document[] }>('./documents', { documents: given });
  const deadline = Date.now() + waitMs;
  for (;;) {
    const { body: found } = await client.get<{ documents: Document[] }>('./documents?limit=100');
    const own = body.documents.map(({ id }) => found.documents.find((document) => document.id === id));
    const hasEnded = (document: Document | undefined) =>
      ['proposed', 'failed'].includes(document?.auto_create?.status ?? '');
    if (own.every(hasEnded)) return own.flatMap((document) => document ?? []);
    if (Date.now() > deadline)
      throw new Error(`Runs have not ended: ${JSON.stringify(own.filter((document) => !hasEnded(document)))}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
