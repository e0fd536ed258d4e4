import { Decimal128 } from 'bson';

/** An exact decimal number: coefficient × 10^exponent. */
export interface ExactDecimal {
  coefficient: bigint;
  exponent: number;
}

/** The exact value of a Decimal128, or undefined for NaN and the infinities. */
export function exactDecimal(value: Decimal128): ExactDecimal | undefined {
  const match = /^(-?)(\d+)(?:\.(\d*))?(?:E([+-]?\d+))?$/.exec(value.toString());
  if (!match) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const coefficient = BigInt(whole + fraction);
  return { coefficient: sign ? -coefficient : coefficient, exponent: Number(exponent) - fraction.length };
}

/** The exact value of a finite double, which is always a decimal fraction. */
export function exactDouble(value: number): ExactDecimal {
  if (Number.isInteger(value)) return { coefficient: BigInt(value), exponent: 0 };
  let numerator = value;
  let halvings = 0;
  while (!Number.isInteger(numerator)) {
    numerator *= 2;
    halvings++;
  }
  return { coefficient: BigInt(numerator) * 5n ** BigInt(halvings), exponent: -halvings };
}

export function compareExact(a: ExactDecimal, b: ExactDecimal): number {
  const difference = subtractExact(a, b).coefficient;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

export function addExact(a: ExactDecimal, b: ExactDecimal): ExactDecimal {
  const exponent = Math.min(a.exponent, b.exponent);
  return { coefficient: scaled(a, exponent) + scaled(b, exponent), exponent };
}

export function subtractExact(a: ExactDecimal, b: ExactDecimal): ExactDecimal {
  return addExact(a, { coefficient: -b.coefficient, exponent: b.exponent });
}

export function multiplyExact(a: ExactDecimal, b: ExactDecimal): ExactDecimal {
  return { coefficient: a.coefficient * b.coefficient, exponent: a.exponent + b.exponent };
}

/**
 * The quotient with 40 digits more than the dividend, enough to round to the 34 digits of a Decimal128. Trailing zeros
 * are dropped until the exponent is the difference of the operands' exponents, as decimal arithmetic requires.
 */
export function divideExact(a: ExactDecimal, b: ExactDecimal): ExactDecimal {
  const shift = 40 + b.coefficient.toString().length;
  const preferred = a.exponent - b.exponent;
  let coefficient = (a.coefficient * 10n ** BigInt(shift)) / b.coefficient;
  let exponent = preferred - shift;
  while (exponent < preferred && coefficient % 10n === 0n) {
    coefficient /= 10n;
    exponent++;
  }
  return { coefficient, exponent };
}

/** Rounds to the nearest Decimal128. */
export function toDecimal128({ coefficient, exponent }: ExactDecimal): Decimal128 {
  const digits = (coefficient < 0n ? -coefficient : coefficient).toString();
  const excess = Math.max(0, digits.length - 34);
  const rounded = excess > 0 ? roundHalfEven(coefficient, 10n ** BigInt(excess)) : coefficient;
  return Decimal128.fromString(`${rounded}E${exponent + excess}`);
}

type Rounding = 'halfEven' | 'truncate' | 'floor' | 'ceil';

/** Rounds to a number of decimal places. A negative number rounds to tens, hundreds and so on. */
export function roundExact(value: ExactDecimal, places: number, rounding: Rounding): ExactDecimal {
  const excess = -places - value.exponent;
  if (excess <= 0) return value;
  const unit = 10n ** BigInt(excess);
  const truncated = value.coefficient / unit;
  const inexact = value.coefficient % unit !== 0n;
  const up = rounding === 'ceil' && inexact && value.coefficient > 0n ? 1n : 0n;
  const down = rounding === 'floor' && inexact && value.coefficient < 0n ? 1n : 0n;
  const coefficient = rounding === 'halfEven' ? roundHalfEven(value.coefficient, unit) : truncated + up - down;
  return { coefficient, exponent: -places };
}

function roundHalfEven(value: bigint, unit: bigint): bigint {
  const magnitude = value < 0n ? -value : value;
  const quotient = magnitude / unit;
  const twice = (magnitude % unit) * 2n;
  const up = twice > unit || (twice === unit && quotient % 2n === 1n);
  const rounded = up ? quotient + 1n : quotient;
  return value < 0n ? -rounded : rounded;
}

function scaled(value: ExactDecimal, exponent: number): bigint {
  return value.coefficient * 10n ** BigInt(value.exponent - exponent);
}
