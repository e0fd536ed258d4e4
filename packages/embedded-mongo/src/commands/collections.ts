import { Binary } from 'bson';
import { MongoError, namespaceNotFound, notSupported } from '../errors/mongo-error.ts';
import { compileFilter } from '../query/filter.ts';
import type { StoredCollection } from '../storage/collection.ts';
import { equalValues } from '../values/compare.ts';
import { fromNumber } from '../values/number.ts';
import type { BsonDocument, BsonValue } from '../values/value.ts';
import type { Reply } from '../wire/reply.ts';
import { ok, type ReceivedCommand, type CommandTable } from './command.ts';
import {
  accepted,
  anyValue,
  collation,
  collectionName,
  cursorOption,
  document,
  flag,
  readOptions,
  required,
  text,
  unsupported,
} from './options.ts';

function create({ storage, db, command }: ReceivedCommand): Reply {
  const { create: name, ...read } = readOptions(command, 'create', {
    create: collectionName,
    validator: document,
    validationLevel: text,
    validationAction: text,
    collation,
    capped: unsupported,
    size: accepted,
    max: accepted,
    viewOn: unsupported,
    pipeline: unsupported,
    timeseries: unsupported,
    clusteredIndex: unsupported,
    changeStreamPreAndPostImages: accepted,
    autoIndexId: accepted,
    storageEngine: accepted,
    indexOptionDefaults: accepted,
    flags: accepted,
  });
  const options = storedOptions(read);
  if (read.validator) compileFilter(read.validator);
  const existing = storage.find(db, required(name, 'create.create'));
  if (existing && !equalValues(existing.options, options)) {
    throw new MongoError(48, 'NamespaceExists', `Collection ${db}.${name} already exists.`);
  }
  storage.ensure(db, name!, options);
  return ok();
}

function storedOptions(read: {
  validator?: BsonDocument;
  validationLevel?: string;
  validationAction?: string;
}): BsonDocument {
  const options: BsonDocument = new Map();
  if (read.validator) options.set('validator', read.validator);
  if (read.validationLevel) options.set('validationLevel', read.validationLevel);
  if (read.validationAction) options.set('validationAction', read.validationAction);
  return options;
}

function drop({ storage, db, command }: ReceivedCommand): Reply {
  const name = required(readOptions(command, 'drop', { drop: collectionName }).drop, 'drop.drop');
  const collection = storage.find(db, name);
  if (!collection) return ok();
  const indexes = collection.indexes.length;
  storage.drop(collection);
  return ok([
    ['nIndexesWas', indexes],
    ['ns', `${db}.${name}`],
  ]);
}

function dropDatabase({ storage, db, command }: ReceivedCommand): Reply {
  readOptions(command, 'dropDatabase', { dropDatabase: anyValue });
  const collections = [...storage.collections.values()].filter((collection) => collection.db === db);
  for (const collection of collections) storage.drop(collection);
  return collections.length > 0 ? ok([['dropped', db]]) : ok();
}

function renameCollection({ storage, command }: ReceivedCommand): Reply {
  const options = readOptions(command, 'renameCollection', { renameCollection: text, to: text, dropTarget: flag });
  const [sourceDb, sourceName] = splitNamespace(required(options.renameCollection, 'renameCollection'));
  const [targetDb, targetName] = splitNamespace(required(options.to, 'renameCollection.to'));
  const source = storage.find(sourceDb, sourceName);
  if (!source) throw namespaceNotFound(`Source collection ${sourceDb}.${sourceName} does not exist`);
  const target = storage.find(targetDb, targetName);
  if (target === source) throw new MongoError(20, 'IllegalOperation', "Can't rename a collection to itself");
  if (target && !options.dropTarget) throw new MongoError(48, 'NamespaceExists', 'target namespace exists');
  if (target) storage.drop(target);
  storage.rename(source, targetDb, targetName);
  return ok();
}

function splitNamespace(namespace: string): [string, string] {
  const dot = namespace.indexOf('.');
  return dot < 0 ? [namespace, ''] : [namespace.slice(0, dot), namespace.slice(dot + 1)];
}

function collMod({ storage, db, command }: ReceivedCommand): Reply {
  const {
    collMod: name,
    index,
    ...read
  } = readOptions(command, 'collMod', {
    collMod: collectionName,
    index: document,
    validator: document,
    validationLevel: text,
    validationAction: text,
  });
  const collection = storage.find(db, required(name, 'collMod.collMod'));
  if (!collection) throw namespaceNotFound(`ns does not exist: ${db}.${name}`);
  const changes = storedOptions(read);
  if (read.validator) compileFilter(read.validator);
  if (changes.size > 0) collection.setOptions(new Map([...collection.options, ...changes]));
  return ok(index ? changeIndex(collection, index) : []);
}

function changeIndex(collection: StoredCollection, change: BsonDocument): [string, BsonValue][] {
  const options = readOptions(change, 'collMod.index', {
    name: text,
    keyPattern: document,
    expireAfterSeconds: anyValue,
  });
  const index = collection.indexes.find((candidate) =>
    options.name === undefined ? equalValues(candidate.key, options.keyPattern) : candidate.name === options.name,
  );
  if (!index) throw new MongoError(27, 'IndexNotFound', `cannot find index for ns ${collection.namespace}`);
  const seconds = required(options.expireAfterSeconds, 'collMod.index.expireAfterSeconds');
  const before = index.specification.get('expireAfterSeconds');
  collection.replaceSpecification(index, new Map([...index.specification, ['expireAfterSeconds', seconds]]));
  return [
    ...(before === undefined ? [] : [['expireAfterSeconds_old', before] as [string, BsonValue]]),
    ['expireAfterSeconds_new', seconds],
  ];
}

function listCollections({ storage, cursors, db, command, yielder }: ReceivedCommand): Promise<Reply> {
  const options = readOptions(command, 'listCollections', {
    listCollections: anyValue,
    filter: document,
    nameOnly: flag,
    authorizedCollections: accepted,
    cursor: cursorOption,
  });
  const matches = compileFilter(options.filter ?? new Map());
  const listed = [...storage.collections.values()]
    .filter((collection) => collection.db === db)
    .map((collection) => describe(collection, options.nameOnly === true))
    .filter((description) => matches(description));
  return cursors.startOf(`${db}.$cmd.listCollections`, listed, yielder, options.cursor);
}

function describe(collection: StoredCollection, nameOnly: boolean): BsonDocument {
  const description: BsonDocument = new Map<string, BsonValue>([
    ['name', collection.name],
    ['type', 'collection'],
  ]);
  if (nameOnly) return description;
  return description
    .set('options', collection.options)
    .set(
      'info',
      new Map<string, BsonValue>([
        ['readOnly', false],
        ['uuid', identifierOf(collection)],
      ]),
    )
    .set('idIndex', collection.indexes[0]!.specification);
}

/** A UUID (version 8: free form) that is stable for the lifetime of the collection. */
function identifierOf(collection: StoredCollection): Binary {
  const bytes = Buffer.alloc(16);
  bytes.writeUInt32BE(collection.id, 12);
  bytes[6] = 0x80;
  bytes[8] = 0x80;
  return new Binary(bytes, Binary.SUBTYPE_UUID);
}

function listDatabases({ storage, command }: ReceivedCommand): Reply {
  const options = readOptions(command, 'listDatabases', {
    listDatabases: anyValue,
    filter: document,
    nameOnly: flag,
    authorizedDatabases: accepted,
  });
  const matches = compileFilter(options.filter ?? new Map());
  const names = new Set([...storage.collections.values()].map(({ db }) => db));
  const listed = [...names]
    .sort()
    .map((name): BsonDocument => {
      const entry: BsonDocument = new Map([['name', name]]);
      return options.nameOnly ? entry : entry.set('sizeOnDisk', 0n).set('empty', false);
    })
    .filter((entry) => matches(entry));
  return options.nameOnly
    ? ok([['databases', listed]])
    : ok([
        ['databases', listed],
        ['totalSize', 0n],
        ['totalSizeMb', 0n],
      ]);
}

function collStats({ storage, db, command }: ReceivedCommand): Reply {
  const name = required(
    readOptions(command, 'collStats', { collStats: collectionName, scale: accepted }).collStats,
    'collStats',
  );
  const collection = storage.find(db, name);
  return ok([
    ['ns', `${db}.${name}`],
    ['count', fromNumber(collection?.count() ?? 0)],
    ['nindexes', collection?.indexes.length ?? 0],
    ['capped', false],
  ]);
}

/** Commands of MongoDB that this server does not support. */
const unsupportedCommands = (
  'cloneCollectionAsCapped compact convertToCapped createUser currentOp dataSize dbStats' +
  ' explain fsync getLog getParameter hostInfo killOp listCommands mapReduce profile reIndex serverStatus top usersInfo validate'
).split(' ');

const rejectCommand = ({ command }: ReceivedCommand): Reply => {
  const [name] = command.keys();
  throw notSupported(`${name} is not supported by this server`);
};

export const collectionCommands: CommandTable = [
  ['create', create],
  ['drop', drop],
  ['dropDatabase', dropDatabase],
  ['renameCollection', renameCollection],
  ['collMod', collMod],
  ['listCollections', listCollections],
  ['listDatabases', listDatabases],
  ['collStats', collStats],
  ...unsupportedCommands.map((name): [string, typeof rejectCommand] => [name, rejectCommand]),
];
