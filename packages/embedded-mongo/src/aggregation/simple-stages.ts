import { locationError } from '../errors/mongo-error.ts';
import { sortYielding } from '../event-loop/yielding-sort.ts';
import { compileFilter } from '../query/filter.ts';
import { documentSortKey, parseSort } from '../query/sort.ts';
import { toNumber } from '../values/number.ts';
import { fromNumber } from '../values/number.ts';
import { isDocument, isNumber, type BsonDocument, type BsonValue } from '../values/value.ts';
import { collect, onEach, type Stage } from './stage.ts';

export function matchStage(argument: BsonValue): Stage {
  if (!isDocument(argument)) throw locationError(15959, 'the match filter must be an expression in an object');
  return (input, run) => {
    const matches = compileFilter(argument, run.variables);
    return onEach((document) => (matches(document) ? [document] : []))(input, run);
  };
}

export function sortStage(argument: BsonValue): Stage {
  if (!isDocument(argument)) throw locationError(15973, 'the $sort key specification must be an object');
  if (argument.size === 0) throw locationError(15976, '$sort stage must have at least one sort key');
  const keyOf = documentSortKey(parseSort(argument));
  return async function* (input, { yielder }) {
    const keyed: { key: Buffer; document: BsonDocument }[] = [];
    for await (const documents of input)
      for (const document of documents) keyed.push({ key: keyOf(document), document });
    const sorted = await sortYielding(keyed, (a, b) => Buffer.compare(a.key, b.key), yielder);
    yield sorted.map(({ document }) => document);
  };
}

export function skipStage(argument: BsonValue): Stage {
  const skip = countArgument(argument, 15956, '$skip', 0);
  return async function* (input) {
    let remaining = skip;
    for await (const documents of input) {
      yield documents.slice(remaining);
      remaining = Math.max(0, remaining - documents.length);
    }
  };
}

export function limitStage(argument: BsonValue): Stage {
  const limit = countArgument(argument, 15958, '$limit', 1);
  return async function* (input) {
    let remaining = limit;
    for await (const documents of input) {
      yield documents.slice(0, remaining);
      remaining -= documents.length;
      if (remaining <= 0) return;
    }
  };
}

/**
 * A stage's argument that counts documents. Throws the error of this code unless it is an integer of at least `min`.
 */
export function countArgument(argument: BsonValue, code: number, name: string, min: number): number {
  const count = isNumber(argument) ? toNumber(argument) : Number.NaN;
  if (Number.isSafeInteger(count) && count >= min) return count;
  throw locationError(code, `the ${name.slice(1)} must be ${min > 0 ? 'positive' : 'a non-negative number'}`);
}

export function countStage(argument: BsonValue): Stage {
  if (typeof argument !== 'string' || argument === '') {
    throw locationError(40156, 'the count field must be a non-empty string');
  }
  if (argument.startsWith('$')) throw locationError(40158, 'the count field cannot be a $-prefixed path');
  if (argument.includes('.')) throw locationError(40160, "the count field cannot contain '.'");
  return async function* (input) {
    let count = 0;
    for await (const documents of input) count += documents.length;
    if (count > 0) yield [new Map([[argument, fromNumber(count)]])];
  };
}

export function sampleStage(argument: BsonValue): Stage {
  const size = isDocument(argument) ? argument.get('size') : undefined;
  const wanted = countArgument(size ?? null, 28747, '$sample size', 0);
  return async function* (input) {
    const all = await collect(input);
    for (let at = 0; at < Math.min(wanted, all.length); at++) {
      const other = at + Math.floor(Math.random() * (all.length - at));
      [all[at], all[other]] = [all[other]!, all[at]!];
    }
    yield all.slice(0, wanted);
  };
}
