import { maxWriteBatchSize } from '../errors/limits.ts';
import { MongoError } from '../errors/mongo-error.ts';
import { fromNumber } from '../values/number.ts';
import type { BsonDocument, BsonValue } from '../values/value.ts';

/** Throws InvalidLength for a command without statements or with more than the limit. */
export function checkBatchSize(size: number): void {
  if (size >= 1 && size <= maxWriteBatchSize) return;
  throw new MongoError(
    16,
    'InvalidLength',
    `Write batch sizes must be between 1 and ${maxWriteBatchSize}. Got ${size} operations.`,
  );
}

/** Collects the results of the statements of one write command. */
export class WriteResult {
  matched = 0;
  /** Undefined for commands that do not report how many documents they changed. */
  modified: number | undefined;
  readonly upserted: BsonDocument[] = [];
  readonly #errors: BsonDocument[] = [];
  readonly #isOrdered: boolean;

  constructor(isOrdered: boolean) {
    this.#isOrdered = isOrdered;
  }

  /** Runs the statements one after another. After an error of an ordered write, the next statements do not run. */
  async runAll(
    statements: readonly BsonDocument[],
    run: (statement: BsonDocument, index: number) => Promise<void>,
  ): Promise<BsonDocument> {
    for (const [index, statement] of statements.entries()) {
      try {
        await run(statement, index);
      } catch (error) {
        if (!this.recordError(index, error)) break;
      }
    }
    return this.reply();
  }

  /**
   * Records the error of a statement. Returns whether the next statements run: not after an error of an ordered write.
   * Throws an error that is not MongoDB's.
   */
  recordError(index: number, error: unknown): boolean {
    if (!(error instanceof MongoError)) throw error;
    this.#errors.push(
      new Map<string, BsonValue>([
        ['index', index],
        ['code', error.code],
        ...(error.details ?? []),
        ['errmsg', error.message],
      ]),
    );
    return !this.#isOrdered;
  }

  reply(): BsonDocument {
    const reply: BsonDocument = new Map([['n', fromNumber(this.matched)]]);
    if (this.modified !== undefined) reply.set('nModified', fromNumber(this.modified));
    if (this.upserted.length > 0) reply.set('upserted', this.upserted);
    if (this.#errors.length > 0) reply.set('writeErrors', this.#errors);
    return reply.set('ok', 1);
  }
}
