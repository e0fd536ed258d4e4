import { decodeDocument } from '../bson/decode.ts';
import { failedToParse, locationError } from '../errors/mongo-error.ts';
import { findHits } from '../execution/find.ts';
import type { CollectionQuery } from '../execution/query.ts';
import { requireNotDropped } from '../execution/scan.ts';
import { compileExpression } from '../expression/expression.ts';
import { namedArguments } from '../expression/operator.ts';
import type { Evaluate } from '../expression/scope.ts';
import { assign } from '../values/assign.ts';
import { visitPath } from '../values/path.ts';
import { isDocument, type BsonDocument, type BsonValue } from '../values/value.ts';
import { splitQuery } from './leading-query.ts';
import {
  collect,
  oneBatch,
  runPipeline,
  type Batches,
  type CompilePipeline,
  type PipelineRun,
  type Stage,
} from './stage.ts';

/** The documents of a collection that a query finds, in batches. */
async function* documentsIn(name: string, query: CollectionQuery, run: PipelineRun): Batches {
  const collection = run.storage.find(run.db, name);
  if (!collection) return;
  const { yielder } = run;
  const hits = await findHits(collection, query, yielder);
  for (const { id, bytes } of hits) {
    requireNotDropped(collection);
    const stored = bytes ?? collection.read(id);
    if (stored) yield [decodeDocument(stored)];
    if (yielder.isDue) await yielder.yield();
  }
}

/** `$lookup` by equal fields, by a pipeline with `let`, or both. */
export function lookupStage(
  argument: BsonValue,
  variables: ReadonlySet<string>,
  compilePipeline: CompilePipeline,
): Stage {
  const options = namedArguments(
    argument,
    '$lookup',
    ['from', 'as'],
    ['localField', 'foreignField', 'let', 'pipeline'],
  );
  const from = fieldName(options, 'from');
  const as = fieldName(options, 'as').split('.');
  const byField = options.has('localField') || options.has('foreignField');
  const local = byField ? fieldName(options, 'localField').split('.') : undefined;
  const foreign = byField ? fieldName(options, 'foreignField') : undefined;
  const defined = letOf(options, variables);
  const stages = compilePipeline(stagesOf(options), new Set([...variables, ...defined.map(([name]) => name)]));
  if (!byField && !options.has('pipeline')) {
    throw failedToParse('$lookup requires localField and foreignField, or a pipeline');
  }
  return async function* (input, run) {
    for await (const documents of input) {
      for (const document of documents) {
        const inner = { ...run, variables: withLet(document, defined, run) };
        const filter = local && foreign !== undefined ? foreignFilter(document, local, foreign) : new Map();
        const query = { filter, variables: inner.variables };
        const joined = await collect(runPipeline(documentsIn(from, query, inner), stages, inner));
        const result = new Map(document);
        assign(result, as, joined);
        yield [result];
      }
    }
  };
}

function fieldName(options: BsonDocument, name: string): string {
  const value = options.get(name);
  if (typeof value === 'string' && value !== '' && !value.startsWith('$')) return value;
  throw failedToParse(`$lookup argument '${name}' must be a field or collection name`);
}

function letOf(options: BsonDocument, variables: ReadonlySet<string>): [string, Evaluate][] {
  const definitions = options.get('let') ?? new Map();
  if (!isDocument(definitions)) throw failedToParse("$lookup argument 'let' must be an object");
  return [...definitions].map(([name, expression]) => [name, compileExpression(expression, variables)]);
}

function withLet(root: BsonDocument, defined: [string, Evaluate][], run: PipelineRun): Map<string, BsonValue> {
  const variables = new Map(run.variables);
  for (const [name, evaluate] of defined) variables.set(name, evaluate({ root, variables: run.variables }) ?? null);
  return variables;
}

function stagesOf(options: BsonDocument): BsonValue[] {
  const pipeline = options.get('pipeline') ?? [];
  if (!Array.isArray(pipeline)) throw failedToParse("'pipeline' option must be specified as an array");
  return pipeline;
}

function foreignFilter(document: BsonDocument, local: readonly string[], foreign: string): BsonDocument {
  const values: BsonValue[] = [];
  visitPath(document, local, (value) => {
    if (Array.isArray(value)) for (const element of value) values.push(element);
    else values.push(value ?? null);
    return false;
  });
  return new Map([[foreign, new Map([['$in', values]])]]);
}

/** `$unionWith`: appends the documents of another collection to the input. */
export function unionWithStage(
  argument: BsonValue,
  variables: ReadonlySet<string>,
  compilePipeline: CompilePipeline,
): Stage {
  const options: BsonDocument =
    typeof argument === 'string'
      ? new Map([['coll', argument]])
      : namedArguments(argument, '$unionWith', ['coll'], ['pipeline']);
  const name = options.get('coll');
  if (typeof name !== 'string') throw failedToParse("$unionWith argument 'coll' must be a string");
  const pipeline = stagesOf(options);
  compilePipeline(pipeline, variables);
  return async function* (input, run) {
    yield* input;
    // Indexes find what the pipeline selects first.
    const { query, rest } = splitQuery(pipeline, undefined, run.variables);
    yield* runPipeline(documentsIn(name, query, run), compilePipeline(rest, variables), run);
  };
}

/** `$facet`: several pipelines over the same documents. */
export function facetStage(
  argument: BsonValue,
  variables: ReadonlySet<string>,
  compilePipeline: CompilePipeline,
): Stage {
  if (!isDocument(argument) || argument.size === 0) {
    throw locationError(40169, 'the $facet specification must be a non-empty object');
  }
  const facets = [...argument].map(([name, pipeline]): [string, Stage[]] => {
    if (!Array.isArray(pipeline)) throw locationError(40170, `arguments to $facet must be arrays, ${name} is not`);
    return [name, compilePipeline(pipeline, variables)];
  });
  return async function* (input, run) {
    const documents = await collect(input);
    const result: BsonDocument = new Map();
    for (const [name, stages] of facets) result.set(name, await collect(runPipeline(oneBatch(documents), stages, run)));
    yield [result];
  };
}
