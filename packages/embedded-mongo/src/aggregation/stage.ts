import type { Yielder } from '../event-loop/yielder.ts';
import type { Variables } from '../expression/scope.ts';
import { locationError } from '../errors/mongo-error.ts';
import type { Storage } from '../storage/storage.ts';
import { isDocument, type BsonDocument, type BsonValue } from '../values/value.ts';

/** A stream of documents through a pipeline, in batches. */
export type Batches = AsyncIterable<BsonDocument[]>;

/** The state that all stages of one pipeline run share. */
export interface PipelineRun {
  storage: Storage;
  db: string;
  yielder: Yielder;
  variables: Variables;
}

/** The name and argument of a stage. Throws Location40323 unless it has exactly one field. */
export function stageOf(stage: BsonValue): [name: string, argument: BsonValue] {
  const entries = isDocument(stage) ? [...stage] : [];
  if (entries.length === 1) return entries[0]!;
  throw locationError(40323, 'A pipeline stage specification object must contain exactly one field.');
}

/** A compiled stage: turns a stream of documents into another. */
export type Stage = (input: Batches, run: PipelineRun) => Batches;

/**
 * Compiles a pipeline in which these variables are defined. Throws MongoDB's error for an unknown or unsupported stage.
 */
export type CompilePipeline = (pipeline: readonly BsonValue[], variables: ReadonlySet<string>) => Stage[];

/** Applies the stages, one after another, to the input. Nothing runs before the result is iterated. */
export function runPipeline(input: Batches, stages: readonly Stage[], run: PipelineRun): Batches {
  return stages.reduce((batches, stage) => stage(batches, run), input);
}

/** A stage that makes any number of documents from each document. */
export function onEach(apply: (document: BsonDocument, run: PipelineRun) => Iterable<BsonDocument>): Stage {
  return async function* (input, run) {
    for await (const documents of input) {
      const output: BsonDocument[] = [];
      for (const document of documents) {
        // Not `push(...made)`: the arguments of a call with a hundred thousand documents do not fit on the stack.
        for (const made of apply(document, run)) {
          output.push(made);
          if (run.yielder.isDue) await run.yielder.yield();
        }
      }
      yield output;
    }
  };
}

/** Reads all documents of a pipeline. */
export async function collect(input: Batches): Promise<BsonDocument[]> {
  const all: BsonDocument[] = [];
  for await (const documents of input) for (const document of documents) all.push(document);
  return all;
}

/** The documents as a stream of one batch. */
export async function* oneBatch(documents: BsonDocument[]): Batches {
  yield documents;
}
