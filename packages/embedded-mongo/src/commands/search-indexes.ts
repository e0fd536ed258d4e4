import { badValue, MongoError, namespaceNotFound, notImplemented } from '../errors/mongo-error.ts';
import { VectorIndex } from '../storage/vector-index.ts';
import { toNumber } from '../values/number.ts';
import { show } from '../values/show.ts';
import { isDocument, isNumber, type BsonDocument, type BsonValue } from '../values/value.ts';
import type { Reply } from '../wire/reply.ts';
import { ok, type ReceivedCommand, type CommandTable } from './command.ts';
import { collectionName, document, documents, readOptions, required, text } from './options.ts';

function createSearchIndexes({ storage, db, command }: ReceivedCommand): Reply {
  const options = readOptions(command, 'createSearchIndexes', {
    createSearchIndexes: collectionName,
    indexes: documents,
  });
  const name = required(options.createSearchIndexes, 'createSearchIndexes.createSearchIndexes');
  const wanted = required(options.indexes, 'createSearchIndexes.indexes').map(readSpecification);
  const collection = storage.find(db, name);
  if (!collection) throw namespaceNotFound(`Collection '${db}.${name}' does not exist.`);
  const created: BsonDocument[] = [];
  for (const specification of wanted) {
    if (collection.searchTables.some((table) => table.name === specification.get('name'))) {
      throw new MongoError(68, 'IndexAlreadyExists', 'Duplicate Index');
    }
    collection.addSearchTable(specification, (id) => vectorIndex(() => new VectorIndex(storage, id, specification)));
    created.push(new Map([['name', specification.get('name')!]]));
  }
  return ok([['indexesCreated', created]]);
}

function readSpecification(source: BsonDocument): BsonDocument {
  const options = readOptions(source, 'createSearchIndexes.indexes', { name: text, type: text, definition: document });
  if (options.type !== 'vectorSearch') {
    throw new MongoError(
      31082,
      'SearchNotEnabled',
      'Search indexes of this server are for vectors only; others are on Atlas',
    );
  }
  const fields = required(options.definition, 'definition').get('fields');
  const all = Array.isArray(fields) ? fields : [];
  const isFilter = (one: BsonValue): one is BsonDocument => isDocument(one) && one.get('type') === 'filter';
  const filters = all.filter(isFilter).map((one) => one.get('path'));
  if (!filters.every((path) => typeof path === 'string')) throw badValue('a field of type filter with its path');
  const [field, ...more] = all.filter((one) => !isFilter(one));
  if (!isDocument(field) || more.length > 0) {
    throw notImplemented('an index of vectors has one field of vectors on this server');
  }
  const [type, path, dimensions, similarity] = ['type', 'path', 'numDimensions', 'similarity'].map((name) =>
    field.get(name),
  );
  if (type !== 'vector' || typeof path !== 'string')
    throw badValue(`a field of type vector with its path, found ${show(field)}`);
  const count = isNumber(dimensions) ? toNumber(dimensions) : Number.NaN;
  if (!(Number.isInteger(count) && count >= 1 && count <= 8192)) {
    throw badValue('numDimensions takes a whole number from 1 to 8192');
  }
  if (similarity !== 'cosine') throw notImplemented('similarity takes cosine on this server');
  return new Map<string, BsonValue>([
    ['name', options.name ?? 'vector_index'],
    ['type', 'vectorSearch'],
    ['path', path],
    ['numDimensions', count],
    ...(filters.length > 0 ? [['filters', filters] as [string, BsonValue]] : []),
  ]);
}

/** Creates an index of vectors. Throws SearchNotEnabled on a platform without sqlite-vec. */
function vectorIndex(make: () => VectorIndex): VectorIndex {
  try {
    return make();
  } catch (error) {
    throw new MongoError(31082, 'SearchNotEnabled', `This machine has no sqlite-vec: ${(error as Error).message}`);
  }
}

export const searchIndexCommands: CommandTable = [['createSearchIndexes', createSearchIndexes]];
