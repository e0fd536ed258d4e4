import { setImmediate as nextTurn } from 'node:timers/promises';
import { maxJsonDepth } from '@docwright/contract';

/** What a JSON body may hold. It is counted in the text, because parsing and validating a larger one blocks the process. */
export interface BodyBounds {
  /** UTF-8 bytes. */
  bytes: number;
  /** Members of all lists and objects together. */
  entries: number;
  /** Members of one object. */
  keys: number;
  /** Levels of lists and objects. */
  depth: number;
  /** Escape sequences of all strings together. */
  escapes: number;
}

/** Bodies of callers without an account. */
export const publicBody: BodyBounds = { bytes: 64 * 1024, entries: 500, keys: 100, depth: 16, escapes: 20_000 };

/** Bodies of callers who have signed in. A route may accept more bytes than these. */
export const memberBody: BodyBounds = {
  bytes: 4 * 1024 * 1024,
  entries: 50_000,
  keys: 2_000,
  depth: maxJsonDepth,
  escapes: 1_000_000,
};

/** Characters that are counted before other requests get their turn. */
const charactersPerTurn = 256 * 1024;

/** A number of so many digits and its point is exact in JavaScript. */
const exactDigits = 15;

const quote = 0x22;
const dot = 0x2e;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;

/** What is known of a body before it is parsed. */
interface BodySurvey {
  /** The reason why it is not parsed; absent if it is within the bounds. */
  beyond?: string;
  /** Whether it has numbers of more than 15 digits or with an exponent, which JavaScript may round. */
  hasLongNumbers?: boolean;
}

/**
 * Counts without building a value, in slices between which other requests are served. Whether the text is JSON is for the
 * parser to say.
 *
 * @example await surveyBody('[[[[', { bytes: 100, entries: 10, keys: 10, depth: 2, escapes: 10 }) // { beyond: 'It must not be nested …' }
 */
export async function surveyBody(
  text: string,
  { entries: maxEntries, keys: maxKeys, depth: maxDepth, escapes: maxEscapes }: BodyBounds,
): Promise<BodySurvey> {
  let entries = 0;
  /** The keys of each open list and object. */
  const open: number[] = [];
  let escapes = 0;
  let isString = false;
  let digits = 0;
  let hasLongNumbers = false;
  let turnEnds = charactersPerTurn;
  for (let at = 0; at < text.length; at += 1) {
    if (at >= turnEnds) {
      turnEnds = at + charactersPerTurn;
      await nextTurn();
    }
    const code = text.charCodeAt(at);
    if (isString) {
      if (code === backslash) {
        escapes += 1;
        at += 1;
      } else if (code === quote) {
        isString = false;
      }
    } else if ((code >= 0x30 && code <= 0x39) || code === dot) {
      digits += 1;
      if (digits > exactDigits) hasLongNumbers = true;
      continue;
    } else if (code === quote) {
      isString = true;
    } else if (code === comma) {
      entries += 1;
    } else if (code === colon) {
      const keys = (open.pop() ?? 0) + 1;
      if (keys > maxKeys)
        return {
          beyond: `It must not have an object with more than ${maxKeys} fields. Send it in several requests.`,
        };
      open.push(keys);
    } else if (code === 0x5b || code === 0x7b) {
      open.push(0);
      // Its first entry.
      entries += 1;
    } else if (code === 0x5d || code === 0x7d) {
      open.pop();
    } else if (digits > 0 && (code === 0x65 || code === 0x45)) {
      hasLongNumbers = true;
    }
    digits = 0;
    if (open.length > maxDepth) return { beyond: `It must not be nested deeper than ${maxDepth} levels.` };
    if (entries > maxEntries) {
      const beyond = `It must not have more than ${maxEntries} entries in its lists and objects together. Send it in several requests.`;
      return { beyond };
    }
    if (escapes > maxEscapes) {
      const beyond = `It must not have more than ${maxEscapes} escape sequences. Send its text as UTF-8, or in several requests.`;
      return { beyond };
    }
  }
  return { hasLongNumbers };
}
