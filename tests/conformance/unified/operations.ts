import { buffer } from 'node:stream/consumers';
import type { Collection, Db, Document, GridFSBucket } from 'mongodb';

type Run<T> = (target: T, options: Document) => unknown;

/** An operation of the format that the driver does not have. */
class MissingInDriver extends Error {}

const collectionOperations: Record<string, Run<Collection>> = {
  aggregate: (target, { pipeline, ...options }) => target.aggregate(pipeline, options).toArray(),
  bulkWrite: (target, { requests, ...options }) => target.bulkWrite(requests.map(bulkRequest), options),
  count: (target, { filter, ...options }) => target.count(filter, options),
  countDocuments: (target, { filter, ...options }) => target.countDocuments(filter, options),
  createIndex: (target, { keys, ...options }) => target.createIndex(keys, options),
  createSearchIndex: (target, { model }) => target.createSearchIndex(model),
  createSearchIndexes: (target, { models }) => target.createSearchIndexes(models),
  deleteMany: (target, { filter, ...options }) => target.deleteMany(filter, options),
  deleteOne: (target, { filter, ...options }) => target.deleteOne(filter, options),
  distinct: (target, { fieldName, filter, ...options }) => target.distinct(fieldName, filter, options),
  dropIndex: (target, { name, ...options }) => target.dropIndex(name, options),
  dropSearchIndex: (target, { name }) => target.dropSearchIndex(name),
  estimatedDocumentCount: (target, options) => target.estimatedDocumentCount(options),
  find: (target, { filter, ...options }) => target.find(filter, options).toArray(),
  findOne: (target, { filter, ...options }) => target.findOne(filter, options),
  findOneAndDelete: (target, { filter, ...options }) => target.findOneAndDelete(filter, options),
  findOneAndReplace: (target, { filter, replacement, ...options }) =>
    target.findOneAndReplace(filter, replacement, returned(options)),
  findOneAndUpdate: (target, { filter, update, ...options }) =>
    target.findOneAndUpdate(filter, update, returned(options)),
  insertMany: (target, { documents, ...options }) => target.insertMany(documents, options),
  insertOne: (target, { document, ...options }) => target.insertOne(document, options),
  listIndexes: (target, options) => target.listIndexes(options).toArray(),
  listSearchIndexes: (target, { name, aggregationOptions }) =>
    target.listSearchIndexes(name, aggregationOptions).toArray(),
  replaceOne: (target, { filter, replacement, ...options }) => target.replaceOne(filter, replacement, options),
  updateMany: (target, { filter, update, ...options }) => target.updateMany(filter, update, options),
  updateOne: (target, { filter, update, ...options }) => target.updateOne(filter, update, options),
  updateSearchIndex: (target, { name, definition }) => target.updateSearchIndex(name, definition),
};

const databaseOperations: Record<string, Run<Db>> = {
  aggregate: (target, { pipeline, ...options }) => target.aggregate(pipeline, options).toArray(),
  createCollection: (target, { collection, ...options }) => target.createCollection(collection, options),
  dropCollection: (target, { collection }) => target.dropCollection(collection),
  modifyCollection: (target, { collection, ...options }) => target.command({ collMod: collection, ...options }),
};

const bucketOperations: Record<string, Run<GridFSBucket>> = {
  delete: (target, { id }) => target.delete(id),
  download: (target, { id }) => buffer(target.openDownloadStream(id)),
  downloadByName: (target, { filename, ...options }) => buffer(target.openDownloadStreamByName(filename, options)),
  rename: (target, { id, newFilename }) => target.rename(id, newFilename),
  upload: async (target, { filename, source, ...options }) => {
    const stream = target.openUploadStream(filename, options);
    stream.end(Buffer.from(source.$$hexBytes, 'hex'));
    await new Promise((resolve, reject) => stream.on('finish', resolve).on('error', reject));
    return stream.id;
  },
};

const tables: Record<string, Record<string, Run<never>>> = {
  Collection: collectionOperations,
  Db: databaseOperations,
  GridFSBucket: bucketOperations,
};

/** Whether the driver has the operation, for any entity. */
export const isInDriver = (name: string): boolean =>
  name === 'failPoint' || Object.values(tables).some((table) => Object.hasOwn(table, name));

/** Runs an operation on an entity. */
export async function runOperation(target: object, name: string, options: Document): Promise<unknown> {
  const run = tables[target.constructor.name]?.[name];
  if (!run) throw new MissingInDriver(`${target.constructor.name} has no operation ${name}`);
  return run(target as never, options);
}

/** Converts a request of a bulk write: the format has the same fields as the driver. */
function bulkRequest(request: Document): never {
  const [[name, options]] = Object.entries(request) as [[string, Document]];
  return { [name]: options } as never;
}

function returned({ returnDocument, ...options }: Document): Document {
  return returnDocument === undefined ? options : { ...options, returnDocument: String(returnDocument).toLowerCase() };
}
