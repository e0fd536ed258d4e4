import type { BsonDocument } from '../bson/value.ts';
import type { Pace } from '../pace.ts';
import type { Variables } from '../query/filter.ts';
import type { Storage } from '../storage/storage.ts';

/** Documents on their way through a pipeline, some at a time. */
export type Batches = AsyncIterable<BsonDocument[]>;

/** What the stages of one run of a pipeline share. */
export interface PipelineRun {
  storage: Storage;
  db: string;
  pace: Pace;
  variables: Variables;
}

export type Stage = (input: Batches, run: PipelineRun) => Batches;

/** A stage that makes any number of documents of each. */
export function onEach(apply: (document: BsonDocument, run: PipelineRun) => Iterable<BsonDocument>): Stage {
  return async function* (input, run) {
    for await (const documents of input) {
      const output: BsonDocument[] = [];
      for (const document of documents) {
        // One at a time: as arguments of one call, a hundred thousand would not fit on the stack.
        for (const made of apply(document, run)) {
          output.push(made);
          if (run.pace.isDue) await run.pace.rest();
        }
      }
      yield output;
    }
  };
}

/** All documents of a pipeline. */
export async function collect(input: Batches): Promise<BsonDocument[]> {
  const all: BsonDocument[] = [];
  for await (const documents of input) for (const document of documents) all.push(document);
  return all;
}

export async function* once(documents: BsonDocument[]): Batches {
  yield documents;
}
