import mongoose, { type Connection } from 'mongoose';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openDatabase } from '../../../platform/database/connection.ts';
import { createNameIndex, partsOfName, rarestPart } from '../../../platform/database/name-search.ts';
import { newId } from '../../../platform/database/object-id.ts';
import { connectTestDatabase } from '../../../testing/test-database.ts';
import { documentModel, nameHas, nameIndex } from './document-model.ts';
import { createDocumentRepositories } from './document-repository.ts';
import { fillNameParts } from './name-part-repository.ts';

let connection: Connection;
const organizationId = newId();
beforeAll(async () => {
  connection = await connectTestDatabase();
  const unknown = new mongoose.mongo.MongoServerError({ message: 'no such command', code: 59 });
  const commands = vi.spyOn(openDatabase(connection), 'command').mockRejectedValueOnce(unknown);
  await createNameIndex(connection, nameIndex);
  commands.mockRestore();
  await fillNameParts(connection, documentModel(connection).collection, async () => false);
});
afterAll(() => connection.close());

const documents = () => createDocumentRepositories(connection)(organizationId);

async function insert(document_name: string): Promise<string> {
  const fields = { mime_type: 'text/plain', size_bytes: 1, file_id: newId(), tag_ids: [], metadata: {} };
  const [document] = await documents().insert([{ ...fields, document_name, uploaded_by: newId() }]);
  return document?.id ?? '';
}

const found = async (name_search: string) =>
  (await documents().list({ name_search, skip: 0, limit: 10 })).documents.map(({ document_name }) => document_name);

it('finds any part of a name by an index of its parts on a server without one of its own', async () => {
  const id = await insert('Rechnung Müller 4711.pdf');
  await insert('Contract 4711.pdf');
  expect(await found('muller 47')).toEqual(['Rechnung Müller 4711.pdf']);
  expect((await found('4711')).toSorted()).toEqual(['Contract 4711.pdf', 'Rechnung Müller 4711.pdf']);
  expect(await found('47')).toHaveLength(2);
  await documents().patch(id, { document_name: 'Angebot.pdf' });
  expect([await found('4711'), await found('ANGEB')]).toEqual([['Contract 4711.pdf'], ['Angebot.pdf']]);
  expect((await documents().list({ skip: 0, limit: 1 })).documents[0]).not.toHaveProperty('name_parts');
});

it('asks for the part that the fewest names have, and for names whose parts are not stored yet', async () => {
  expect(nameHas('Invoice 97', connection)).toEqual({
    name_key: { $regex: 'invoice 97' },
    name_parts: { $in: [rarestPart('invoice 97'), null] },
  });
  expect([rarestPart('invoice 97'), rarestPart('ab'), partsOfName('aaaa')]).toEqual([' 97', undefined, ['aaa']]);
  const { collection } = documentModel(connection);
  const id = new mongoose.Types.ObjectId(await insert('Kept before.txt'));
  await collection.updateOne({ _id: id }, { $unset: { name_parts: 1 } });
  expect(await found('pt bef')).toEqual(['Kept before.txt']);
  await fillNameParts(connection, collection, async () => false);
  expect(await collection.countDocuments({ name_parts: null })).toBe(0);
  expect(await found('pt bef')).toEqual(['Kept before.txt']);
});
