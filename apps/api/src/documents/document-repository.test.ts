import type { Connection } from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectDatabase } from '../db/connection.ts';
import { newId } from '../db/object-id.ts';
import { startTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { createDocumentRepositories } from './document-repository.ts';

let database: TestDatabase;
let connection: Connection;
beforeAll(async () => {
  database = await startTestDatabase();
  connection = await connectDatabase(database.uri);
});
afterAll(async () => {
  await connection.close();
  await database.stop();
});

it('gives a document to its own organization alone, also where many ask at once', async () => {
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
  const asked = organizations.flatMap((organization) =>
    [...inserted, newId()].map(async (id) => (await documentsOf(organization).get(id))?.document_name),
  );
  const own = organizations.flatMap((organization, index) =>
    [0, 1, 2, 3].map((place) => (place === index ? `of ${organization}` : undefined)),
  );
  expect(await Promise.all(asked)).toEqual(own);
});
