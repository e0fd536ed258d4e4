import { BSONRegExp } from 'bson';
import { badValue, locationError } from '../errors/mongo-error.ts';
import type { BsonValue } from '../values/value.ts';

/**
 * Translates a PCRE pattern to JavaScript. Throws Location51091 when JavaScript has no equivalent: a wrong translation
 * would match other texts.
 */
export function compileRegularExpression(value: BsonValue, options?: BsonValue): RegExp {
  let pattern: string;
  let flags = '';
  if (value instanceof BSONRegExp) ({ pattern, options: flags } = value);
  else if (typeof value === 'string') pattern = value;
  else throw badValue('$regex has to be a string');
  if (options !== undefined) {
    if (typeof options !== 'string') throw badValue('$options has to be a string');
    if (value instanceof BSONRegExp && flags !== '') {
      throw locationError(51074, 'options set in both $regex and $options');
    }
    flags = options;
  }
  const inline = /^\(\?([imsx]+)\)/.exec(pattern);
  if (inline) {
    flags += inline[1];
    pattern = pattern.slice(inline[0].length);
  }
  const unknown = /[^imsxu]/.exec(flags);
  if (unknown) throw locationError(51108, `invalid flag in regex options: ${unknown[0]}`);
  if (flags.includes('x')) pattern = withoutWhitespace(pattern);
  return build(translated(pattern), flags);
}

function build(pattern: string, flags: string): RegExp {
  const known = new Set(flags.replace(/[^ims]/g, '').split(''));
  try {
    return new RegExp(pattern, `${[...known].join('')}u`);
  } catch {
    try {
      return new RegExp(pattern, [...known].join(''));
    } catch (error) {
      throw locationError(51091, `Regular expression is invalid: ${(error as Error).message}`);
    }
  }
}

/** Replaces PCRE's anchors \A, \Z and \z, which JavaScript reads as letters. */
function translated(pattern: string): string {
  if (/\\[GKQEXRhH]|\(\?[#>|(&P+\-\d]|[*+?}]\+|\[\[:/.test(pattern.replace(/\\\\/g, ''))) {
    throw locationError(
      51091,
      'Regular expression is invalid: the pattern uses a construct this server does not support',
    );
  }
  return pattern.replace(/\\([\s\S])/g, (escape, letter: string) => {
    if (letter === 'A') return '(?<![\\s\\S])';
    if (letter === 'z') return '(?![\\s\\S])';
    return letter === 'Z' ? '(?=\\n?(?![\\s\\S]))' : escape;
  });
}

/** Applies the x flag: removes whitespace and comments outside of character classes. */
function withoutWhitespace(pattern: string): string {
  return pattern.replace(
    /(\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\])|\s+|#[^\n]*/g,
    (_, kept: string | undefined) => kept ?? '',
  );
}
