import { locationError } from '../errors/mongo-error.ts';
import { average, combine } from '../expression/combine-numbers.ts';
import { compareValues, equalValues } from '../values/compare.ts';
import { isDocument, isNumber, typeName, type BsonDocument, type BsonNumber, type BsonValue } from '../values/value.ts';

/** Computes one field of a group from the values of its documents. */
export interface Accumulator {
  add(value: BsonValue | undefined): void;
  result(): BsonValue;
}

class Sum implements Accumulator {
  protected sum: BsonNumber = 0;
  add(value: BsonValue | undefined): void {
    if (isNumber(value)) this.sum = combine('add', this.sum, value);
  }
  result(): BsonValue {
    return this.sum;
  }
}

class Average extends Sum {
  #count = 0;
  override add(value: BsonValue | undefined): void {
    super.add(value);
    if (isNumber(value)) this.#count++;
  }
  override result(): BsonValue {
    return average(this.sum, this.#count);
  }
}

class Extreme implements Accumulator {
  readonly #sign: 1 | -1;
  #best: BsonValue | undefined;
  constructor(sign: 1 | -1) {
    this.#sign = sign;
  }
  add(value: BsonValue | undefined): void {
    if (value === undefined || value === null) return;
    if (this.#best === undefined || compareValues(value, this.#best) * this.#sign > 0) this.#best = value;
  }
  result(): BsonValue {
    return this.#best ?? null;
  }
}

class First implements Accumulator {
  #value: BsonValue | undefined;
  #hasValue = false;
  add(value: BsonValue | undefined): void {
    if (!this.#hasValue) this.#value = value;
    this.#hasValue = true;
  }
  result(): BsonValue {
    return this.#value ?? null;
  }
}

class Last implements Accumulator {
  #value: BsonValue | undefined;
  add(value: BsonValue | undefined): void {
    this.#value = value;
  }
  result(): BsonValue {
    return this.#value ?? null;
  }
}

class Push implements Accumulator {
  protected readonly values: BsonValue[] = [];
  add(value: BsonValue | undefined): void {
    if (value !== undefined) this.values.push(value);
  }
  result(): BsonValue {
    return this.values;
  }
}

class AddToSet extends Push {
  override add(value: BsonValue | undefined): void {
    if (!this.values.some((known) => equalValues(known, value))) super.add(value);
  }
}

class MergeObjects implements Accumulator {
  readonly #merged: BsonDocument = new Map();
  add(value: BsonValue | undefined): void {
    if (value === undefined || value === null) return;
    if (!isDocument(value)) {
      throw locationError(40400, `$mergeObjects requires object inputs, but input is of type ${typeName(value)}`);
    }
    for (const [name, inner] of value) this.#merged.set(name, inner);
  }
  result(): BsonValue {
    return this.#merged;
  }
}

export const accumulators = new Map<string, () => Accumulator>([
  ['$sum', () => new Sum()],
  ['$avg', () => new Average()],
  ['$min', () => new Extreme(-1)],
  ['$max', () => new Extreme(1)],
  ['$first', () => new First()],
  ['$last', () => new Last()],
  ['$push', () => new Push()],
  ['$addToSet', () => new AddToSet()],
  ['$mergeObjects', () => new MergeObjects()],
]);
