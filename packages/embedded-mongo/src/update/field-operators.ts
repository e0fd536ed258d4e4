import { Timestamp } from 'bson';
import { badValue, typeMismatch } from '../errors/mongo-error.ts';
import { combine } from '../expression/combine-numbers.ts';
import { compareValues } from '../values/compare.ts';
import { fromBigInt, isInteger } from '../values/number.ts';
import { copyValue, valueAt } from '../values/path.ts';
import { show } from '../values/show.ts';
import { isDocument, isNumber, typeName, type BsonDocument, type BsonValue } from '../values/value.ts';
import { setAt, unsetAt } from './paths.ts';

/** Changes the document at a path without `$`. */
export type FieldUpdate = (document: BsonDocument, path: string, argument: BsonValue) => void;

/** The value of an empty timestamp after a write. */
export const currentTimestamp = (): Timestamp => new Timestamp({ t: Math.floor(Date.now() / 1000), i: 1 });

const set: FieldUpdate = (document, path, argument) => setAt(document, path, copyValue(argument));

const unset: FieldUpdate = (document, path) => unsetAt(document, path);

const arithmetic =
  (operator: '$inc' | '$mul'): FieldUpdate =>
  (document, path, argument) => {
    if (!isNumber(argument)) {
      const verb = operator === '$inc' ? 'increment' : 'multiply';
      throw typeMismatch(`Cannot ${verb} with non-numeric argument: {${path}: ${show(argument)}}`);
    }
    const current = valueAt(document, path);
    if (current === undefined) setAt(document, path, operator === '$inc' ? argument : combine('multiply', argument, 0));
    else if (isNumber(current)) {
      setAt(document, path, combine(operator === '$inc' ? 'add' : 'multiply', current, argument));
    } else {
      throw typeMismatch(
        `Cannot apply ${operator} to a value of non-numeric type. {_id: ${show(document.get('_id'))}} has the field '${path
          .split('.')
          .at(-1)}' of non-numeric type ${typeName(current)}`,
      );
    }
  };

const extreme =
  (sign: 1 | -1): FieldUpdate =>
  (document, path, argument) => {
    const current = valueAt(document, path);
    if (current === undefined || compareValues(argument, current) * sign > 0) {
      setAt(document, path, copyValue(argument));
    }
  };

const currentDate: FieldUpdate = (document, path, argument) => {
  const type = isDocument(argument) && argument.size === 1 ? argument.get('$type') : undefined;
  if (type === 'timestamp') setAt(document, path, currentTimestamp());
  else if (type === 'date' || typeof argument === 'boolean') setAt(document, path, new Date());
  else {
    throw badValue(
      "The '$type' string field is required to be 'date' or 'timestamp': {$currentDate: {field: {$type: 'date'}}}",
    );
  }
};

const rename: FieldUpdate = (document, path, argument) => {
  if (typeof argument !== 'string') {
    throw badValue(`The 'to' field for $rename must be a string: ${path}: ${show(argument)}`);
  }
  if (argument === path) throw badValue(`The source and target field for $rename must differ: ${path}: "${argument}"`);
  const value = valueAt(document, path);
  if (value === undefined) return;
  unsetAt(document, path);
  unsetAt(document, argument);
  setAt(document, argument, value);
};

const bitOperations: Record<string, (a: bigint, b: bigint) => bigint> = {
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
};

const bit: FieldUpdate = (document, path, argument) => {
  if (!isDocument(argument) || argument.size === 0) {
    throw badValue(`The $bit modifier is not compatible with a ${typeName(argument)}`);
  }
  const current = valueAt(document, path) ?? 0;
  if (!isNumber(current) || !isInteger(current)) {
    throw badValue(
      `Cannot apply $bit to a value of non-integral type. The field ${path} is of type ${typeName(current)}`,
    );
  }
  let result = BigInt(current);
  let wide = typeof current === 'bigint';
  for (const [name, operand] of argument) {
    const operation = Object.hasOwn(bitOperations, name) ? bitOperations[name] : undefined;
    if (!operation) {
      throw badValue(
        `The $bit modifier only supports 'and', 'or', and 'xor', not '${name}' which is an unknown operator: {${name}: ${show(operand)}}`,
      );
    }
    if (!isNumber(operand) || !isInteger(operand)) {
      throw badValue(
        `The $bit modifier field must be an Integer(32/64 bit); a '${typeName(operand)}' is not supported here`,
      );
    }
    wide ||= typeof operand === 'bigint';
    result = operation(result, BigInt(operand));
  }
  setAt(document, path, wide ? BigInt.asIntN(64, result) : fromBigInt(BigInt.asIntN(32, result)));
};

export const fieldOperators: [string, FieldUpdate][] = [
  ['$set', set],
  ['$setOnInsert', set],
  ['$unset', unset],
  ['$inc', arithmetic('$inc')],
  ['$mul', arithmetic('$mul')],
  ['$min', extreme(-1)],
  ['$max', extreme(1)],
  ['$currentDate', currentDate],
  ['$rename', rename],
  ['$bit', bit],
];
