import type { Connection } from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../platform/database/object-id.ts';
import { connectTestDatabase } from '../../../testing/test-database.ts';
import { createDocumentRepositories } from './document-repository.ts';

let connection: Connection;
beforeAll(async () => {
  connection = await connectTestDatabase();
});
afterAll(() => connection.close());

it('returns a document to its own organization only, even for many concurrent reads', async () => {
  const documentsOf = createDocumentRepositories(connection);
  const organizations = [newId(), newId(), newId()];
  const inserted = await Promise.all(
    organizations.map(async (organization) => {
      const [document] = await documentsOf(organization).insert([
        {
          document_name: `of ${organization}`,
          mime_type: 'text/plain',
          size_bytes: 1,
          file_id: newId(),
          tag_ids: [],
          metadata: {},
          uploaded_by: newId(),
        },
      ]);
      return document?.id ?? '';
    }),
  );
  const reads = organizations.flatMap((organization) =>
    [...inserted, newId()].map(async (id) => (await documentsOf(organization).get(id))?.document_name),
  );
  const expected = organizations.flatMap((organization, index) =>
    [0, 1, 2, 3].map((place) => (place === index ? `of ${organization}` : undefined)),
  );
  expect(await Promise.all(reads)).toEqual(expected);
});
