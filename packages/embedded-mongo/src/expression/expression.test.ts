import { Decimal128, Double } from 'bson';
import { expect, test } from 'vitest';
import type { BsonDocument, BsonValue } from '../values/value.ts';
import { compileExpression } from './expression.ts';

const decimal = (text: string): Decimal128 => Decimal128.fromString(text);
const doc = (fields: Record<string, BsonValue>): BsonDocument => new Map(Object.entries(fields));

const root = doc({
  int: 7,
  long: 2n ** 60n,
  double: new Double(2.5),
  decimal: decimal('0.10'),
  date: new Date('2026-03-04T05:06:07.089Z'),
  text: 'Straße 12',
  list: [3, 1, 2],
  items: [doc({ n: 1 }), doc({ n: 2 }), doc({})],
  nullField: null,
  'dotted.name': 'x',
});

const evaluate = (expression: BsonValue): BsonValue | undefined =>
  compileExpression(expression)({ root, variables: new Map() });

const call = (operator: string, argument: BsonValue): BsonDocument => new Map([[operator, argument]]);

test.each<[string, BsonValue, BsonValue | undefined]>([
  ['ints add to an int', call('$add', ['$int', 1]), 8],
  ['ints that overflow add to a long', call('$add', [2 ** 31 - 1, 1]), 2n ** 31n],
  ['a long stays exact', call('$add', ['$long', 1]), 2n ** 60n + 1n],
  ['an int and a double add to a double', call('$add', ['$int', '$double']), new Double(9.5)],
  ['a double and a decimal add to a decimal', call('$add', ['$decimal', '$double']), decimal('2.60')],
  ['decimals multiply exactly', call('$multiply', ['$decimal', '$decimal']), decimal('0.0100')],
  ['division gives a double', call('$divide', ['$int', 2]), new Double(3.5)],
  ['division of a decimal gives a decimal', call('$divide', ['$decimal', 4]), decimal('0.025')],
  ['milliseconds add to a date', call('$add', ['$date', 911]), new Date('2026-03-04T05:06:08.000Z')],
  ['dates subtract to a long', call('$subtract', ['$date', '$date']), 0n],
  ['a missing operand gives null', call('$add', ['$int', '$missing']), null],
  ['a half is rounded to even', call('$round', [new Double(2.5)]), new Double(2)],
  ['a double is rounded by its decimal form', call('$round', [new Double(1.005), 2]), new Double(1)],
  ['tens are rounded', call('$round', [1234, -2]), 1200],
  ['a decimal is rounded down', call('$floor', decimal('-1.5')), decimal('-2')],
  ['a long equals an int of its value', call('$eq', [5n, 5]), true],
  ['missing sorts before null', call('$lt', ['$missing', '$nullField']), true],
  ['a path maps over an array', '$items.n', [1, 2]],
  ['a missing field is left out of an object', doc({ a: '$missing', b: '$int' }), doc({ b: 7 })],
  ['a sum over an array', call('$sum', '$list'), 6],
  ['a condition', call('$cond', [call('$gt', ['$int', 5]), 'big', 'small']), 'big'],
  ['the first that is not null', call('$ifNull', ['$nullField', '$missing', 'x']), 'x'],
  ['a filter', call('$filter', doc({ input: '$list', as: 'n', cond: call('$gt', ['$$n', 1]) })), [3, 2]],
  ['a map', call('$map', doc({ input: '$list', in: call('$multiply', ['$$this', 10]) })), [30, 10, 20]],
  [
    'a reduction',
    call('$reduce', doc({ input: '$list', initialValue: 0, in: call('$add', ['$$value', '$$this']) })),
    6,
  ],
  ['a variable', call('$let', doc({ vars: doc({ x: '$int' }), in: call('$add', ['$$x', '$$x']) })), 14],
  ['a length in characters', call('$strLenCP', '$text'), 9],
  ['upper case of ASCII letters', call('$toUpper', '$text'), 'STRAßE 12'],
  ['a pattern', call('$regexMatch', doc({ input: '$text', regex: '^stra', options: 'i' })), true],
  ['a date as text', call('$dateToString', doc({ date: '$date', format: '%d.%m.%Y %H:%M' })), '04.03.2026 05:06'],
  ['a truncated date', call('$dateTrunc', doc({ date: '$date', unit: 'month' })), new Date('2026-03-01')],
  ['text to a decimal', call('$toDecimal', '12.50'), decimal('12.50')],
  ['a type name', call('$type', '$long'), 'long'],
  ['a field whose name has a dot', call('$getField', 'dotted.name'), 'x'],
  [
    'pairs to an object',
    call(
      '$arrayToObject',
      call('$literal', [
        ['2', 1],
        ['1', 2],
      ]),
    ),
    new Map([
      ['2', 1],
      ['1', 2],
    ]),
  ],
])('%s', (_, expression, wanted) => {
  expect(evaluate(expression)).toEqual(wanted);
});

test.each<[string, BsonValue, number]>([
  ['an unknown operator', call('$guess', 1), 168],
  ['an unknown variable', '$$unknown', 17276],
  ['a path with an empty part', '$a..b', 15998],
  [
    'two operators at once',
    new Map([
      ['$add', 1],
      ['$sum', 1],
    ]),
    15983,
  ],
  ['too few arguments', call('$divide', [1]), 16020],
  ['a string in a sum', call('$add', ['$text', 1]), 14],
  ['division by zero', call('$divide', [1, 0]), 2],
  ['an unknown named argument', call('$filter', doc({ input: '$list', cond: true, where: 1 })), 9],
  ['a string that is not a number', call('$toInt', 'abc'), 241],
  ['another time zone', call('$dateToString', doc({ date: '$date', timezone: 'Europe/Berlin' })), 238],
])('rejects %s', (_, expression, code) => {
  expect(() => evaluate(expression)).toThrow(expect.objectContaining({ code }));
});
