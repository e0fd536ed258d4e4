import mongoose, { type Connection } from 'mongoose';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { documentModel, nameHas } from '../../features/documents/index.ts';
import { connectDatabase, openDatabase } from '../../platform/database/connection.ts';
import { partsOfName } from '../../platform/database/name-search.ts';
import { thisProcess } from '../../platform/leases/process-identity.ts';
import { newTestDatabase } from '../../testing/test-database.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations.ts';

const connections: Connection[] = [];
let uri: string;
/** What an older process uses: it knows no parts. */
let older: Connection;
beforeEach(async () => {
  uri = newTestDatabase();
  older = await connectDatabase(uri);
  connections.push(older);
});
afterEach(async () => {
  await Promise.all(connections.splice(0).map((each) => each.close()));
});

/** A process on a server that has no index of its own for parts of names. */
async function newProcess(isOlderRunning = false): Promise<Connection> {
  const connection = await connectDatabase(uri);
  connections.push(connection);
  const database = openDatabase(connection);
  const command = database.command.bind(database);
  vi.spyOn(database, 'command').mockImplementation(async (asked, ...options) => {
    if (!('docwrightSubstringIndex' in asked)) return await command(asked, ...options);
    throw new mongoose.mongo.MongoServerError({ message: 'no such command', code: 59 });
  });
  const other = { identity: thisProcess, release: '0.2.0', databaseVersion: 18, servesApi: true };
  await migrate(connection, migrations, async () => (isOlderRunning ? [other] : []));
  return connection;
}

const named = (name: string) => ({ document_name: name, name_key: name });
const rename = async (from: string, to: string) =>
  older.collection('documents').updateOne(named(from), { $set: named(to) });
const partsOf = async (name: string) =>
  (await older.collection('documents').findOne(named(name)))?.['name_parts'] as unknown;
const found = async (connection: Connection, text: string) =>
  (await documentModel(connection).collection.find(nameHas(text, connection)).toArray()).map(
    ({ document_name }) => document_name as string,
  );

it('the start stores the parts of names that lack them', async () => {
  await older.collection('documents').insertOne(named('invoice.pdf'));
  const connection = await newProcess();
  expect(await partsOf('invoice.pdf')).toEqual(partsOfName('invoice.pdf'));
  expect(nameHas('voice', connection)).toHaveProperty('name_parts');
});

it('a document that an older process renames beside this one is found by its new name, also later', async () => {
  const beside = await newProcess(true);
  const { collection } = documentModel(beside);
  await collection.insertOne(named('invoice.pdf'));
  await rename('invoice.pdf', 'contract.pdf');
  expect(await found(beside, 'tract')).toEqual(['contract.pdf']);
  const alone = await newProcess();
  expect(await found(alone, 'tract')).toEqual(['contract.pdf']);
  // The former process goes on: a name that it changes has no parts of its former name.
  await collection.updateOne(named('contract.pdf'), { $set: named('offer.pdf') });
  expect(await found(alone, 'offer')).toEqual(['offer.pdf']);
});

it('a document that an older process renamed after all parts were stored is found after the next start', async () => {
  await documentModel(await newProcess()).collection.insertOne(named('invoice.pdf'));
  expect(await partsOf('invoice.pdf')).toEqual(partsOfName('invoice.pdf'));
  // It creates its indexes at its start.
  await older.collection('collection_documents').createIndex({ collection_id: 1, document_id: 1 }, { unique: true });
  await rename('invoice.pdf', 'contract.pdf');
  expect(await found(await newProcess(), 'tract')).toEqual(['contract.pdf']);
  expect(await partsOf('contract.pdf')).toEqual(partsOfName('contract.pdf'));
});
