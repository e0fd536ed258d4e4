import { MongoError } from '../errors/mongo-error.ts';
import { fromNumber } from '../values/number.ts';
import type { BsonDocument, BsonValue } from '../values/value.ts';

/** Collects the results of the statements of one write command. */
export class WriteResult {
  matched = 0;
  /** Undefined for commands that do not report how many documents they changed. */
  modified: number | undefined;
  readonly upserted: BsonDocument[] = [];
  readonly #errors: BsonDocument[] = [];
  readonly #ordered: boolean;

  constructor(ordered: boolean) {
    this.#ordered = ordered;
  }

  /** Runs a statement. Returns false when the rest must not run, as after an error of an ordered write. */
  attempt(index: number, statement: () => void): boolean {
    try {
      statement();
      return true;
    } catch (error) {
      return this.recordError(index, error);
    }
  }

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
    return !this.#ordered;
  }

  reply(): BsonDocument {
    const reply: BsonDocument = new Map([['n', fromNumber(this.matched)]]);
    if (this.modified !== undefined) reply.set('nModified', fromNumber(this.modified));
    if (this.upserted.length > 0) reply.set('upserted', this.upserted);
    if (this.#errors.length > 0) reply.set('writeErrors', this.#errors);
    return reply.set('ok', 1);
  }
}
