import type { Document } from '@docwright/contract';
import type { TestApp } from '../test-app.ts';
import type { TestClient } from '../test-client.ts';

/** Uploads a file and reads it. Returns the id of its document. */
export async function uploadAndRead(
  { services }: Pick<TestApp, 'services'>,
  client: TestClient,
  name: string,
  content: string | Uint8Array,
  more: object = {},
): Promise<string> {
  const documents = [{ name, content: Buffer.from(content).toString('base64'), ...more }];
  const { body } = await client.post<{ documents: Document[] }>('./documents', { documents });
  await services.documents.textReading.readAll(new AbortController().signal);
  return body.documents[0]!.id;
}
