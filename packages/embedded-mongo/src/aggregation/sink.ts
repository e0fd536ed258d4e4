import { ObjectId } from 'bson';
import { encodeDocument } from '../bson/encode.ts';
import { failedToParse, MongoError, notImplemented } from '../errors/mongo-error.ts';
import { changeMatching, type Target } from '../execution/change-matching.ts';
import { namedArguments } from '../expression/operator.ts';
import type { StoredCollection } from '../storage/collection.ts';
import { withIdentifierFirst } from '../storage/identifier.ts';
import { valueAt } from '../values/path.ts';
import { show } from '../values/show.ts';
import { isDocument, type BsonDocument, type BsonValue } from '../values/value.ts';
import type { PipelineRun } from './stage.ts';

/** Stores the documents of a pipeline. */
type Sink = (documents: BsonDocument[], run: PipelineRun) => Promise<void>;

/** Compiles `$out` or `$merge`, which store the result of a pipeline; undefined for any other stage. */
export function compileSink(stage: BsonValue | undefined, bypassValidation: boolean): Sink | undefined {
  if (!isDocument(stage)) return undefined;
  const out = stage.get('$out');
  if (out !== undefined) return outSink(out, bypassValidation);
  const merge = stage.get('$merge');
  return merge === undefined ? undefined : mergeSink(merge, bypassValidation);
}

interface TargetName {
  db: string | undefined;
  name: string;
}

function targetName(argument: BsonValue, stage: string): TargetName {
  if (typeof argument === 'string') return { db: undefined, name: argument };
  const options = namedArguments(argument, stage, ['coll'], ['db']);
  const db = options.get('db');
  const name = options.get('coll');
  if (typeof name !== 'string' || (db !== undefined && typeof db !== 'string')) {
    throw failedToParse(`${stage} names its target by strings`);
  }
  return { db, name };
}

/** `$out`: replaces the target in one step, so that no reader sees a part of the result. */
function outSink(argument: BsonValue, bypassValidation: boolean): Sink {
  const { db, name } = targetName(argument, '$out');
  return async (documents, { storage, db: current }) => {
    storage.atomically(() => {
      const old = storage.find(db ?? current, name);
      const specifications = old?.indexes.slice(1).map(({ specification }) => specification) ?? [];
      if (old) storage.drop(old);
      const target = storage.ensure(db ?? current, name, old?.options);
      for (const specification of specifications) target.addIndex(specification);
      for (const document of documents) insert(target, document, bypassValidation);
    });
  };
}

function insert(target: StoredCollection, document: BsonDocument, bypassValidation: boolean): void {
  if (!document.has('_id')) document.set('_id', new ObjectId());
  const complete = withIdentifierFirst(document);
  target.insert(encodeDocument(complete), complete, bypassValidation);
}

/** `$merge`: merges each document into the document of the target with the same `on` fields, or inserts it. */
function mergeSink(argument: BsonValue, bypassValidation: boolean): Sink {
  const options = isDocument(argument)
    ? namedArguments(argument, '$merge', ['into'], ['on', 'whenMatched', 'whenNotMatched'])
    : new Map([['into', argument]]);
  const { db, name } = targetName(options.get('into')!, '$merge');
  const on = options.get('on') ?? '_id';
  const fields = (Array.isArray(on) ? on : [on]).filter((field) => typeof field === 'string');
  if (Array.isArray(options.get('whenMatched'))) {
    throw notImplemented('$merge with a pipeline is not supported by this server');
  }
  const whenMatched = enumOption(options, 'whenMatched', ['merge', 'replace', 'keepExisting', 'fail']);
  const whenNotMatched = enumOption(options, 'whenNotMatched', ['insert', 'discard', 'fail']);
  return async (documents, { storage, db: current, yielder }) => {
    const target = storage.ensure(db ?? current, name);
    for (const document of documents) {
      const filter: BsonDocument = new Map(
        fields.map((field): [string, BsonValue] => [field, new Map([['$eq', valueAt(document, field) ?? null]])]),
      );
      await changeMatching(
        target,
        { filter, limit: 1 },
        yielder,
        (matched) => mergeInto(target, matched, document, whenMatched, bypassValidation),
        () => mergeNew(target, document, whenNotMatched, bypassValidation),
      );
      if (yielder.isDue) await yielder.yield();
    }
  };
}

/** The value of an option that allows only these values. The first is the default. */
function enumOption(options: BsonDocument, name: string, values: string[]): string {
  const chosen = options.get(name) ?? values[0]!;
  if (typeof chosen === 'string' && values.includes(chosen)) return chosen;
  throw failedToParse(`Enumeration value ${show(chosen)} for field '$merge.${name}' is not a valid value`);
}

function mergeNew(
  target: StoredCollection,
  document: BsonDocument,
  whenNotMatched: string,
  bypassValidation: boolean,
): void {
  if (whenNotMatched === 'insert') insert(target, document, bypassValidation);
  else if (whenNotMatched === 'fail') {
    throw new MongoError(
      13113,
      'MergeStageNoMatchingDocument',
      '$merge could not find a matching document in the target collection',
    );
  }
}

function mergeInto(
  target: StoredCollection,
  { row, document: before }: Target,
  document: BsonDocument,
  whenMatched: string,
  bypassValidation: boolean,
): void {
  if (whenMatched === 'keepExisting') return;
  if (whenMatched === 'fail') throw target.duplicateKey(target.indexes[0]!, before);
  const kept: Iterable<[string, BsonValue]> = whenMatched === 'replace' ? [['_id', before.get('_id')!]] : before;
  const merged = new Map([...kept, ...document]).set('_id', before.get('_id')!);
  target.update(row, before, encodeDocument(merged), merged, bypassValidation);
}
