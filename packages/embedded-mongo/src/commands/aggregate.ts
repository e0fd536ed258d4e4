import { splitQuery } from '../aggregation/leading-query.ts';
import { neededFields } from '../aggregation/needed-fields.ts';
import { compilePipeline } from '../aggregation/pipeline.ts';
import { compileSink } from '../aggregation/sink.ts';
import { collect, oneBatch, runPipeline, stageOf, type Batches, type PipelineRun } from '../aggregation/stage.ts';
import { vectorSearch } from '../aggregation/vector-search-stage.ts';
import { failedToParse, invalidNamespace, locationError } from '../errors/mongo-error.ts';
import { decodeDocument } from '../bson/decode.ts';
import type { Yielder } from '../event-loop/yielder.ts';
import { countHits } from '../execution/count-hits.ts';
import { findHits } from '../execution/find.ts';
import { withoutText } from '../execution/text-query.ts';
import type { CollectionQuery } from '../execution/query.ts';
import { noVariables } from '../expression/scope.ts';
import { compileFilter } from '../query/filter.ts';
import type { StoredCollection } from '../storage/collection.ts';
import { fromNumber } from '../values/number.ts';
import { isDocument, type BsonDocument, type BsonValue } from '../values/value.ts';
import type { Reply } from '../wire/reply.ts';
import type { ReceivedCommand, CommandTable } from './command.ts';
import { documentsOf } from './find.ts';
import {
  accepted,
  anyValue,
  array,
  collation,
  cursorOption,
  flag,
  hint,
  readOptions,
  required,
  unsupported,
  variables,
} from './options.ts';

const aggregateOptions = {
  aggregate: anyValue,
  pipeline: array,
  cursor: cursorOption,
  hint,
  let: variables,
  collation,
  bypassDocumentValidation: flag,
  explain: unsupported,
  allowDiskUse: accepted,
};

async function aggregate({ storage, cursors, db, command, yielder }: ReceivedCommand): Promise<Reply> {
  const options = readOptions(command, 'aggregate', aggregateOptions);
  if (!command.has('cursor')) {
    throw failedToParse("The 'cursor' option is required, except for aggregate with the explain argument");
  }
  const pipeline = required(options.pipeline, 'aggregate.pipeline');
  const variables = options.let ?? noVariables;
  const name = typeof options.aggregate === 'string' ? options.aggregate : undefined;
  const namespace = `${db}.${name ?? '$cmd.aggregate'}`;
  const run: PipelineRun = { storage, db, yielder, variables };
  const sink = compileSink(pipeline.at(-1), options.bypassDocumentValidation === true);
  const body = sink ? pipeline.slice(0, -1) : pipeline;
  const { query, rest } = splitQuery(body, options.hint, variables);
  const collection = name === undefined ? undefined : storage.find(db, name);
  const source = sourceStage(rest, collection, name, command.get('lsid'), yielder);
  const stages = compilePipeline(source ? rest.slice(1) : rest, new Set(variables.keys()));
  compileFilter(withoutText(query.filter), variables);
  if (collection && !source && !sink) {
    if (rest.length === 0) {
      const hits = await findHits(collection, query, yielder);
      return cursors.start(namespace, documentsOf(collection, hits, undefined), yielder, options.cursor);
    }
    const countResult = compileCount(rest);
    if (countResult) {
      return cursors.startOf(
        namespace,
        countResult(await countHits(collection, query, yielder)),
        yielder,
        options.cursor,
      );
    }
  }
  const [first] = source ? [] : rest;
  const fields = first === undefined ? undefined : neededFields(...stageOf(first));
  const input = source ?? (collection ? readMatches(collection, query, run, fields) : oneBatch([]));
  const output = await collect(runPipeline(input, stages, run));
  if (sink) await sink(output, run);
  return cursors.startOf(namespace, sink ? [] : output, yielder, options.cursor);
}

/** The documents of a first stage that makes documents itself; undefined for any other stage. */
function sourceStage(
  pipeline: BsonValue[],
  collection: StoredCollection | undefined,
  name: string | undefined,
  session: BsonValue | undefined,
  yielder: Yielder,
): Batches | undefined {
  const [stage, argument] = pipeline.length > 0 ? stageOf(pipeline[0]!) : [];
  if (stage === '$documents') {
    if (!Array.isArray(argument) || !argument.every(isDocument)) {
      throw locationError(5858203, '$documents takes an array of objects');
    }
    return oneBatch(argument);
  }
  if (stage === '$vectorSearch') return vectorSearch(argument!, collection, yielder);
  if (stage === '$collStats') {
    const count = fromNumber(collection?.count() ?? 0);
    return oneBatch([
      new Map<string, BsonValue>([
        ['ns', collection?.namespace ?? ''],
        ['count', count],
      ]),
    ]);
  }
  if (stage === '$indexStats') {
    return oneBatch(
      (collection?.indexes ?? []).map(
        (index) =>
          new Map<string, BsonValue>([
            ['name', index.name],
            ['key', index.key],
          ]),
      ),
    );
  }
  if (stage === '$listLocalSessions') return oneBatch(session ? [new Map([['_id', session]])] : []);
  if (name === undefined) {
    throw invalidNamespace('{aggregate: 1} is not valid for this pipeline; a collection is required.');
  }
  return undefined;
}

/**
 * The result of `{ $group: { _id: 1, n: { $sum: 1 } } }`, which `countDocuments` sends, from a count: no document needs
 * to be read. Undefined for any other pipeline.
 */
function compileCount(pipeline: BsonValue[]): ((count: number) => BsonDocument[]) | undefined {
  const [stage, group] = stageOf(pipeline[0]!);
  if (pipeline.length > 1 || stage !== '$group' || !isDocument(group) || group.size !== 2) return undefined;
  const identifier = group.get('_id');
  const [name, accumulator] = [...group].find(([field]) => field !== '_id')!;
  const isCount = isDocument(accumulator) && accumulator.size === 1 && accumulator.get('$sum') === 1;
  if (!isCount || (identifier !== null && identifier !== 1)) return undefined;
  return (count) =>
    count > 0
      ? [
          new Map<string, BsonValue>([
            ['_id', identifier],
            [name, fromNumber(count)],
          ]),
        ]
      : [];
}

const maxBatchSize = 64;

async function* readMatches(
  collection: StoredCollection,
  query: CollectionQuery,
  { yielder }: PipelineRun,
  fields: ReadonlySet<string> | undefined,
): Batches {
  const hits = await findHits(collection, query, yielder);
  let batch: BsonDocument[] = [];
  for (const bytes of documentsOf(collection, hits, undefined)) {
    batch.push(decodeDocument(bytes, fields));
    if (batch.length < maxBatchSize && !yielder.isDue) continue;
    yield batch;
    batch = [];
    if (yielder.isDue) await yielder.yield();
  }
  yield batch;
}

export const aggregateCommands: CommandTable = [['aggregate', aggregate]];
