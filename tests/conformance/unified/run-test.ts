import { MongoServerError, type Document, type MongoClient } from 'mongodb';
import { EntityMap } from './entity-map.ts';
import { assertMatches } from './match.ts';
import { runOperation } from './operations.ts';
import type {
  CollectionData,
  ExpectedError,
  ExpectedEvents,
  Operation,
  SpecificationTest,
  TestFile,
} from './test-file.ts';

/** Runs one test of the unified format against a server. Throws an error that names the difference. */
export async function runTest(uri: string, admin: MongoClient, file: TestFile, test: SpecificationTest): Promise<void> {
  for (const data of file.initialData ?? []) await fill(admin, data);
  const entities = new EntityMap(uri);
  try {
    await entities.create(file.createEntities ?? []);
    for (const operation of test.operations) await runOne(entities, admin, operation);
    for (const expected of test.expectEvents ?? []) checkEvents(entities, expected);
    for (const data of test.outcome ?? []) await checkOutcome(admin, data);
  } finally {
    await entities.close();
  }
}

async function fill(admin: MongoClient, { databaseName, collectionName, documents }: CollectionData): Promise<void> {
  const db = admin.db(databaseName);
  await db.dropCollection(collectionName);
  if (documents.length > 0) await db.collection(collectionName).insertMany(documents);
  else await db.createCollection(collectionName);
}

async function runOne(entities: EntityMap, admin: MongoClient, operation: Operation): Promise<void> {
  let result: unknown;
  try {
    result = await perform(entities, admin, operation);
  } catch (error) {
    if (!operation.expectError) throw error;
    checkError(entities, operation.expectError, error as Error);
    return;
  }
  if (operation.expectError) throw new Error(`${operation.name} was expected to fail`);
  if (operation.saveResultAsEntity !== undefined) entities.entities.set(operation.saveResultAsEntity, result);
  if ('expectResult' in operation) assertMatches(operation.expectResult, result, entities.entities, operation.name);
}

async function perform(entities: EntityMap, admin: MongoClient, operation: Operation): Promise<unknown> {
  const { name, object } = operation;
  const options = operation.arguments ?? {};
  if (object === 'testRunner' && name === 'failPoint') return admin.db('admin').command(options['failPoint']);
  return runOperation(entities.get(object) as object, name, options);
}

function checkError(entities: EntityMap, expected: ExpectedError, error: Error): void {
  const fromServer = error instanceof MongoServerError;
  if (expected.isClientError !== undefined && expected.isClientError === fromServer) {
    throw new Error(`expected ${fromServer ? 'a client' : 'a server'} error, got ${error.message}`, { cause: error });
  }
  if (
    expected.errorContains !== undefined &&
    !error.message.toLowerCase().includes(expected.errorContains.toLowerCase())
  ) {
    throw new Error(`expected an error about ${expected.errorContains}, got ${error.message}`, { cause: error });
  }
  const details = error as Error & { code?: number; errorResponse?: Document; result?: unknown };
  if (expected.errorCode !== undefined) assertMatches(expected.errorCode, details.code, entities.entities, 'errorCode');
  if (expected.errorResponse) {
    assertMatches(expected.errorResponse, details.errorResponse, entities.entities, 'errorResponse');
  }
  if (expected.expectResult !== undefined) {
    assertMatches(expected.expectResult, details.result, entities.entities, 'result of the error');
  }
}

function checkEvents(
  entities: EntityMap,
  { client, eventType = 'command', events, ignoreExtraEvents }: ExpectedEvents,
): void {
  if (eventType !== 'command') return;
  const observed = entities.events.get(client) ?? [];
  const started = events.filter((event) => 'commandStartedEvent' in event);
  if (!ignoreExtraEvents && started.length !== observed.length) {
    throw new Error(
      `expected ${started.length} commands, saw ${observed.map(({ event }) => event.commandName).join(', ')}`,
    );
  }
  started.forEach((expected, index) => {
    const { command, ...rest } = expected['commandStartedEvent'];
    const event = observed[index]?.event;
    assertMatches(rest, event, entities.entities, `event ${index}`);
    if (command) assertMatches(command, event?.command, entities.entities, `command ${index}`);
  });
}

async function checkOutcome(
  admin: MongoClient,
  { databaseName, collectionName, documents }: CollectionData,
): Promise<void> {
  const found = await admin.db(databaseName).collection(collectionName).find().sort({ _id: 1 }).toArray();
  assertMatches(documents, found, new Map(), 'outcome');
}
