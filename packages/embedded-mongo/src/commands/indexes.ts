import { languageNamed } from '@docwright/language';
import {
  badValue,
  indexNotFound,
  invalidOptions,
  MongoError,
  namespaceNotFound,
  notImplemented,
} from '../errors/mongo-error.ts';
import { compileFilter } from '../query/filter.ts';
import { CollectionIndex } from '../storage/collection-index.ts';
import type { StoredCollection } from '../storage/collection.ts';
import { IndexBuild } from '../storage/index-build.ts';
import { FullTextIndex } from '../storage/text-index.ts';
import { equalValues } from '../values/compare.ts';
import { toNumber } from '../values/number.ts';
import { show } from '../values/show.ts';
import { isDocument, isNumber, isTruthy, type BsonDocument, type BsonNumber, type BsonValue } from '../values/value.ts';
import type { Reply } from '../wire/reply.ts';
import { ok, type ReceivedCommand, type CommandTable } from './command.ts';
import {
  accepted,
  anyValue,
  collation,
  collectionName,
  cursorOption,
  document,
  documents,
  flag,
  readOptions,
  required,
  text,
} from './options.ts';

const specificationOptions = {
  key: document,
  name: text,
  unique: flag,
  sparse: flag,
  partialFilterExpression: document,
  expireAfterSeconds: anyValue,
  collation,
  weights: document,
  default_language: text,
  language_override: text,
  textIndexVersion: anyValue,
  v: accepted,
  ns: accepted,
  background: accepted,
};

/** The indexes that `listIndexes` lists. Indexes of vectors are not among them: MongoDB lists them separately. */
const listedIndexes = (collection: StoredCollection): (CollectionIndex | FullTextIndex)[] => [
  ...collection.indexes,
  ...(collection.textIndex ? [collection.textIndex] : []),
];

/** Other commands go on while the indexes are built; those of the same collection that create more wait. */
async function createIndexes({ storage, db, command, yielder }: ReceivedCommand): Promise<Reply> {
  const options = readOptions(command, 'createIndexes', {
    createIndexes: collectionName,
    indexes: documents,
    commitQuorum: accepted,
  });
  const name = required(options.createIndexes, 'createIndexes.createIndexes');
  const wanted = required(options.indexes, 'createIndexes.indexes').map(readSpecification);
  if (wanted.length === 0) throw badValue('Must specify at least one index to create');
  const isNewCollection = storage.find(db, name) === undefined;
  const collection = storage.ensure(db, name);
  while (collection.indexBuild && !collection.isDropped) await yielder.yield();
  if (collection.isDropped) throw new MongoError(175, 'QueryPlanKilled', 'collection dropped');
  const before = listedIndexes(collection).length;
  let missing: BsonDocument[] = [];
  const build = async (): Promise<void> => {
    if (missing.length > 0) await new IndexBuild(collection, missing).run(yielder);
    missing = [];
  };
  for (const specification of wanted) {
    if (missing.some((other) => isAlike(other, specification))) await build();
    if (existsAlready(collection, specification)) continue;
    if (isTextSpecification(specification)) {
      collection.addSearchTable(specification, (id) => new FullTextIndex(storage, id, specification));
    } else missing.push(specification);
  }
  await build();
  const after = listedIndexes(collection).length;
  return ok([
    ['numIndexesBefore', before],
    ['numIndexesAfter', after],
    ['createdCollectionAutomatically', isNewCollection],
    ...(before === after ? [['note', 'all indexes already exist'] as [string, BsonValue]] : []),
  ]);
}

const cannotCreate = (message: string): MongoError => new MongoError(67, 'CannotCreateIndex', message);

function readSpecification(source: BsonDocument): BsonDocument {
  const options = readOptions(source, 'createIndexes.indexes', specificationOptions);
  const key = required(options.key, 'createIndexes.indexes.key');
  if ([...key.values()].includes('text')) return textSpecification(key, options);
  for (const name of ['weights', 'default_language', 'language_override', 'textIndexVersion'] as const) {
    if (options[name] !== undefined) throw cannotCreate(`${name} is for text indexes only`);
  }
  checkKey(key);
  const specification: BsonDocument = new Map<string, BsonValue>([
    ['v', 2],
    ['key', key],
    ['name', options.name ?? nameOf(key)],
  ]);
  if (options.unique) specification.set('unique', true);
  if (options.sparse) specification.set('sparse', true);
  if (options.partialFilterExpression) {
    if (options.sparse) throw cannotCreate('cannot mix "partialFilterExpression" and "sparse" options');
    compileFilter(options.partialFilterExpression);
    specification.set('partialFilterExpression', options.partialFilterExpression);
  }
  if (options.expireAfterSeconds !== undefined) {
    checkExpiry(options.expireAfterSeconds, key);
    specification.set('expireAfterSeconds', options.expireAfterSeconds);
  }
  return specification;
}

/** The name of an index that is created without one. */
const nameOf = (key: BsonDocument): string =>
  [...key].map(([path, kind]) => `${path}_${typeof kind === 'string' ? kind : toNumber(kind as BsonNumber)}`).join('_');

function checkKey(key: BsonDocument): void {
  if (key.size === 0) throw cannotCreate('Index keys cannot be an empty object');
  for (const [path, direction] of key) {
    if (typeof direction === 'string') {
      throw cannotCreate(
        `Unknown index plugin '${direction}': this server has ascending, descending and text indexes only`,
      );
    }
    if (!isNumber(direction) || !toNumber(direction)) {
      throw cannotCreate(`Values in v:2 index key pattern cannot be of type other than number: ${show(key)}`);
    }
    const parts = path.split('.');
    if (parts.includes('') || parts.some((part) => part.startsWith('$'))) {
      throw cannotCreate(`Index keys cannot contain an empty field or one that begins with '$': ${path}`);
    }
  }
}

function checkExpiry(seconds: BsonValue, key: BsonDocument): void {
  if (!isNumber(seconds) || !(toNumber(seconds) >= 0 && toNumber(seconds) <= 2 ** 31 - 1)) {
    throw cannotCreate("TTL index 'expireAfterSeconds' option must be a number within 0 and 2147483647");
  }
  if (key.size > 1 || key.has('_id')) throw cannotCreate('TTL indexes are single-field indexes, and not on _id');
}

const isAlike = (one: BsonDocument, other: BsonDocument): boolean =>
  one.get('name') === other.get('name') || equalValues(one.get('key'), other.get('key'));

/** Whether the index exists. Throws IndexOptionsConflict or IndexKeySpecsConflict when an existing index conflicts. */
function existsAlready(collection: StoredCollection, specification: BsonDocument): boolean {
  const key = specification.get('key');
  if (equalValues(key, new Map([['_id', 1]]))) return true;
  const sameName = listedIndexes(collection).find(({ name }) => name === specification.get('name'));
  if (sameName && !equalValues(withoutOrder(sameName.specification), withoutOrder(specification))) {
    throw new MongoError(
      86,
      'IndexKeySpecsConflict',
      `An existing index has the same name as the requested index. When index names are not specified, they are auto generated and can cause conflicts. Please refer to our documentation. Requested index: ${show(specification)}, existing index: ${show(sameName.specification)}`,
    );
  }
  if (sameName) return true;
  if (isTextSpecification(specification)) {
    const { textIndex } = collection;
    if (!textIndex) return false;
    throw new MongoError(
      85,
      'IndexOptionsConflict',
      `only one text index per collection allowed, found existing text index "${textIndex.name}"`,
    );
  }
  const sameKey = collection.indexes.find(
    (index) =>
      equalValues(index.key, key) &&
      equalValues(index.partialFilter, specification.get('partialFilterExpression')) &&
      index.isSparse === isTruthy(specification.get('sparse')) &&
      index.isUnique === isTruthy(specification.get('unique')),
  );
  if (sameKey) {
    throw new MongoError(85, 'IndexOptionsConflict', `Index already exists with a different name: ${sameKey.name}`);
  }
  return false;
}

const withoutOrder = (specification: BsonDocument): BsonDocument =>
  new Map([...specification].sort(([a], [b]) => (a < b ? -1 : 1)));

function listIndexes({ storage, cursors, db, command, yielder }: ReceivedCommand): Promise<Reply> {
  const options = readOptions(command, 'listIndexes', { listIndexes: collectionName, cursor: cursorOption });
  const name = required(options.listIndexes, 'listIndexes.listIndexes');
  const collection = storage.find(db, name);
  if (!collection) throw namespaceNotFound(`ns does not exist: ${db}.${name}`);
  const listed = listedIndexes(collection).map(({ specification }) => specification);
  return cursors.startOf(`${db}.$cmd.listIndexes.${name}`, listed, yielder, options.cursor);
}

function dropIndexes({ storage, db, command }: ReceivedCommand): Reply {
  const options = readOptions(command, 'dropIndexes', { dropIndexes: collectionName, index: anyValue });
  const name = required(options.dropIndexes, 'dropIndexes.dropIndexes');
  const collection = storage.find(db, name);
  if (!collection) throw namespaceNotFound(`ns not found ${db}.${name}`);
  const before = listedIndexes(collection).length;
  const wanted = required(options.index, 'dropIndexes.index');
  const targets =
    wanted === '*'
      ? listedIndexes(collection).filter((index) => index.name !== '_id_')
      : (Array.isArray(wanted) ? wanted : [wanted]).map((target) => indexNamed(collection, target));
  for (const index of targets) {
    if (index instanceof CollectionIndex) collection.dropIndex(index);
    else collection.dropSearchTable(index);
  }
  return ok([['nIndexesWas', before]]);
}

function indexNamed(collection: StoredCollection, target: BsonValue): CollectionIndex | FullTextIndex {
  const index = listedIndexes(collection).find(({ specification, name }) =>
    isDocument(target) ? equalValues(specification.get('key'), target) : name === target,
  );
  if (!index) {
    throw indexNotFound(
      isDocument(target)
        ? `can't find index with key: ${show(target)}`
        : `index not found with name [${typeof target === 'string' ? target : show(target)}]`,
    );
  }
  if (index.name === '_id_') throw invalidOptions('cannot drop _id index');
  return index;
}

export const indexCommands: CommandTable = [
  ['createIndexes', createIndexes],
  ['listIndexes', listIndexes],
  ['dropIndexes', dropIndexes],
];

interface TextOptions {
  name?: string | undefined;
  weights?: BsonDocument | undefined;
  default_language?: string | undefined;
  language_override?: string | undefined;
  unique?: boolean | undefined;
  sparse?: boolean | undefined;
  partialFilterExpression?: BsonDocument | undefined;
  expireAfterSeconds?: BsonValue | undefined;
}

const isTextSpecification = (specification: BsonDocument): boolean => specification.has('textIndexVersion');

/** The specification of a text index in MongoDB's stored form. Throws for options that this server does not support. */
function textSpecification(key: BsonDocument, options: TextOptions): BsonDocument {
  const { weights, default_language = 'english', language_override = 'language' } = options;
  const fields = [...key];
  const texts = fields.slice(fields.findIndex(([, kind]) => kind === 'text'));
  const prefix = fields.slice(0, fields.length - texts.length);
  if (!texts.every(([, kind]) => kind === 'text') || key.has('$**')) {
    throw cannotCreate('A text index of this server has its text fields last, each by its name');
  }
  if (prefix.length > 0) checkKey(new Map(prefix));
  if (languageNamed(default_language) === undefined) {
    throw cannotCreate(`default_language is not valid: unsupported language: "${default_language}"`);
  }
  if (language_override.includes('.') || language_override.startsWith('$') || language_override === '') {
    throw cannotCreate('language_override is not valid: this server takes the name of a field of the document itself');
  }
  const { unique, sparse, partialFilterExpression, expireAfterSeconds } = options;
  if (unique || sparse || partialFilterExpression !== undefined || expireAfterSeconds !== undefined) {
    throw cannotCreate('A text index of this server cannot be unique, sparse or partial, and cannot expire documents');
  }
  const hasWeights = [...(weights ?? [])].some(([, weight]) => !isNumber(weight) || toNumber(weight) !== 1);
  if (hasWeights) throw notImplemented('weights other than 1 are not supported by this server');
  return new Map<string, BsonValue>([
    ['v', 2],
    ['key', new Map<string, BsonValue>([...prefix, ['_fts', 'text'], ['_ftsx', 1]])],
    ['name', options.name ?? nameOf(key)],
    ['weights', new Map<string, BsonValue>(texts.map(([path]) => [path, 1]))],
    ['default_language', default_language],
    ['language_override', language_override],
    ['textIndexVersion', 3],
  ]);
}
