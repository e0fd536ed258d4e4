import { decodeDocument } from '../bson/decode.ts';
import { encodeDocument } from '../bson/encode.ts';
import { projectedFields } from '../aggregation/needed-fields.ts';
import { failedToParse } from '../errors/mongo-error.ts';
import { findHits } from '../execution/find.ts';
import { identifiersOf } from '../execution/identifier-scan.ts';
import type { Hit } from '../execution/query.ts';
import { noVariables } from '../expression/scope.ts';
import { compileFilter } from '../query/filter.ts';
import { compileProjection, projectionNeedsPositions, type Projection } from '../query/projection.ts';
import type { StoredCollection } from '../storage/collection.ts';
import { show } from '../values/show.ts';
import type { BsonDocument } from '../values/value.ts';
import type { Reply } from '../wire/reply.ts';
import type { ReceivedCommand, CommandTable } from './command.ts';
import {
  accepted,
  anyValue,
  collation,
  collectionName,
  document,
  flag,
  hint,
  integer,
  natural,
  readOptions,
  required,
  unsupported,
  variables,
} from './options.ts';

const findOptions = {
  find: collectionName,
  filter: document,
  sort: document,
  projection: document,
  hint,
  skip: natural,
  limit: integer,
  batchSize: natural,
  singleBatch: flag,
  let: variables,
  collation,
  min: unsupported,
  max: unsupported,
  returnKey: unsupported,
  showRecordId: unsupported,
  tailable: unsupported,
  awaitData: unsupported,
  allowDiskUse: accepted,
  allowPartialResults: accepted,
  noCursorTimeout: accepted,
  oplogReplay: accepted,
};

async function find({ storage, cursors, db, command, yielder }: ReceivedCommand): Promise<Reply> {
  const options = readOptions(command, 'find', findOptions);
  const name = required(options.find, 'find.find');
  const filter = options.filter ?? new Map();
  const variables = options.let ?? noVariables;
  const limit = options.limit ?? 0;
  const projection = findProjection(options.projection);
  const wantPositions = options.projection ? projectionNeedsPositions(options.projection) : false;
  const collection = storage.find(db, name);
  if (!collection) {
    compileFilter(filter, variables);
    return cursors.startOf(`${db}.${name}`, [], yielder);
  }
  const { sort, skip } = options;
  const fields = options.projection && projectedFields(options.projection);
  // The `_id` alone is in the keys of the documents.
  const wantBytes = fields?.size !== 1;
  const hits = await findHits(
    collection,
    { filter, sort, skip, limit: Math.abs(limit), hint: options.hint, variables, wantPositions, wantBytes },
    yielder,
  );
  const source = wantBytes
    ? documentsOf(collection, hits, projection && ((bytes, hit) => project(projection, bytes, hit, fields)))
    : identifierDocuments(collection, hits);
  return cursors.start(`${db}.${name}`, source, yielder, options.batchSize, options.singleBatch === true || limit < 0);
}

function* identifierDocuments(collection: StoredCollection, hits: readonly Hit[]): Generator<Buffer> {
  const rows = hits.map(({ id }) => id);
  for (const value of identifiersOf(collection, rows)) yield encodeDocument(new Map([['_id', value]]));
}

/** Compiles the projection of a find; undefined for none. */
export function findProjection(projection: BsonDocument | undefined): Projection | undefined {
  return projection && projection.size > 0 ? compileProjection(projection, { find: true }) : undefined;
}

function project(
  projection: Projection,
  bytes: Buffer,
  { positions, textScore }: Hit,
  fields: ReadonlySet<string> | undefined,
): Buffer {
  return encodeDocument(projection(decodeDocument(bytes, fields), { positions, textScore }));
}

/**
 * The documents of the hits. Bytes that the query did not retain are read; documents deleted since then are left out.
 */
export function* documentsOf(
  collection: StoredCollection,
  hits: Hit[],
  change: ((bytes: Buffer, hit: Hit) => Buffer) | undefined,
): Generator<Buffer> {
  for (const hit of hits) {
    const bytes = hit.bytes ?? (collection.isDropped ? undefined : collection.read(hit.id));
    hit.bytes = undefined;
    if (bytes) yield change ? change(bytes, hit) : bytes;
  }
}

async function getMore({ cursors, db, command, yielder }: ReceivedCommand): Promise<Reply> {
  const options = readOptions(command, 'getMore', {
    getMore: anyValue,
    collection: collectionName,
    batchSize: natural,
    term: accepted,
  });
  const { getMore: id } = options;
  if (typeof id !== 'bigint') throw failedToParse(`getMore takes the id of a cursor as a long, found ${show(id)}`);
  const namespace = `${db}.${required(options.collection, 'getMore.collection')}`;
  return cursors.more(id, namespace, yielder, options.batchSize || Infinity);
}

async function killCursors({ cursors, command }: ReceivedCommand): Promise<Reply> {
  const { cursors: ids } = readOptions(command, 'killCursors', { killCursors: collectionName, cursors: cursorIds });
  const killed: bigint[] = [];
  const notFound: bigint[] = [];
  for (const id of ids ?? []) (cursors.kill(id) ? killed : notFound).push(id);
  return new Map<string, bigint[] | number>([
    ['cursorsKilled', killed],
    ['cursorsNotFound', notFound],
    ['cursorsAlive', []],
    ['cursorsUnknown', []],
    ['ok', 1],
  ]);
}

const cursorIds = (value: unknown): bigint[] =>
  Array.isArray(value) ? value.filter((id): id is bigint => typeof id === 'bigint') : [];

export const findCommands: CommandTable = [
  ['find', find],
  ['getMore', getMore],
  ['killCursors', killCursors],
];
