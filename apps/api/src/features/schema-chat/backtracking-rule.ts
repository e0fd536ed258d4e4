import { LruMap } from 'toad-cache';

/** A part of a sequence: a set of characters or a group, with its number of repetitions. */
interface Part {
  /** The source of a set of characters; undefined for a group. */
  source?: string;
  /** The alternatives of a group. */
  choices: Part[][];
  min: number;
  max: number;
}

/** The number of rounds at which an ambiguous group has too many ways to match. */
const manyRounds = 11;

/**
 * Whether a backtracking engine could take exponential time for this pattern. Our engine is linear, but the regex of a
 * column can be exported to programs with other engines. Checks each repeated group: a round of variable length needs a
 * fixed character at one of its ends that occurs nowhere else in it, and its alternatives must start differently. The
 * rule rejects some harmless patterns; those can be written more simply.
 */
export function canBacktrackWithoutBound(pattern: string): boolean {
  return someGroup(readChoices(pattern, { at: 0 }), ({ choices, max }) => max >= manyRounds && isAmbiguous(choices));
}

function someGroup(choices: Part[][], test: (group: Part) => boolean): boolean {
  return choices.flat().some((part) => part.source === undefined && (test(part) || someGroup(part.choices, test)));
}

function isAmbiguous(choices: Part[][]): boolean {
  if (
    choices.some((sequence, at) => choices.slice(0, at).some((other) => overlap(startsOf(sequence), startsOf(other))))
  ) {
    return true;
  }
  return choices.some((sequence) => hasVariableLength(sequence) && !isDelimited(sequence));
}

function hasVariableLength(sequence: Part[]): boolean {
  return sequence.some(({ min, max, choices }) => min !== max || choices.length > 1 || choices.some(hasVariableLength));
}

/** Whether a round starts or ends with one character that occurs nowhere else in it. */
function isDelimited(sequence: Part[]): boolean {
  return [sequence[0], sequence.at(-1)].some((end) => {
    if (end?.source === undefined || end.min !== 1 || end.max !== 1) return false;
    return !overlap([end.source], setsOf(sequence.filter((part) => part !== end)));
  });
}

function setsOf(sequence: Part[]): string[] {
  return sequence.flatMap(({ source, choices }) => (source === undefined ? choices.flatMap(setsOf) : [source]));
}

/** The sets that a sequence can start with; all of its sets if it can be empty. */
function startsOf(sequence: Part[]): string[] {
  const required = sequence.findIndex(({ min }) => min > 0);
  return setsOf(required === -1 ? sequence : sequence.slice(0, required + 1).map((part) => firstOf(part)));
}

function firstOf(part: Part): Part {
  return part.source === undefined ? { ...part, choices: part.choices.map((each) => each.slice(0, 1)) } : part;
}

const samples = [...Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)), 'Ā', 'я', '中', '\u2028', 'ﬀ'];

/** One bit for each sample in a set, by the set's source. */
const bitsBySource = new LruMap<bigint>(2000);

function bitsOf(source: string): bigint {
  const cached = bitsBySource.get(source);
  if (cached !== undefined) return cached;
  const set = setOf(source);
  const bits = samples.reduce((sum, sample, at) => (set.test(sample) ? sum | (1n << BigInt(at)) : sum), 0n);
  bitsBySource.set(source, bits);
  return bits;
}

function overlap(one: string[], other: string[]): boolean {
  const union = (sources: string[]) => sources.reduce((sum, source) => sum | bitsOf(source), 0n);
  return (union(one) & union(other)) !== 0n;
}

/** A set in the syntax of the other engine counts as any character. */
function setOf(source: string): RegExp {
  try {
    return new RegExp(`^(?:${/^[{}\]]$/.test(source) ? `\\${source}` : source})$`, 'su');
  } catch {
    return /^[\s\S]$/u;
  }
}

/** Reads alternatives up to the end or a closing bracket; advances `place.at`. */
function readChoices(pattern: string, place: { at: number }): Part[][] {
  const choices: Part[][] = [[]];
  while (place.at < pattern.length && pattern[place.at] !== ')') {
    const rest = pattern.slice(place.at);
    const opening = /^\((?:\?(?::|P?<\w+>|[imsU-]+:))?/.exec(rest);
    const assertion = /^(?:[\^$]|\\[bBAzZ])/.exec(rest);
    if (rest.startsWith('|')) {
      choices.push([]);
      place.at += 1;
    } else if (opening !== null) {
      place.at += opening[0].length;
      const inside = readChoices(pattern, place);
      place.at += 1;
      choices.at(-1)!.push({ choices: inside, ...readRepeat(pattern, place) });
    } else if (assertion !== null) place.at += assertion[0].length;
    else {
      const source =
        /^(?:\[\^?\]?(?:\\[\s\S]|\[:\^?\w+:\]|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\x\{[^}]*\}|\\x[\da-fA-F]{2}|\\u[\da-fA-F]{4}|\\[\s\S]|[\s\S])/u.exec(
          rest,
        )![0];
      place.at += source.length;
      choices.at(-1)!.push({ source, choices: [], ...readRepeat(pattern, place) });
    }
  }
  return choices;
}

function readRepeat(pattern: string, place: { at: number }): Pick<Part, 'min' | 'max'> {
  const found = /^(?:([*+?])|\{(\d+)(,(\d*))?\})[?+]?/.exec(pattern.slice(place.at));
  if (found === null) return { min: 1, max: 1 };
  place.at += found[0].length;
  const [, sign, min, range, max] = found;
  if (sign !== undefined) return { min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity };
  if (range === undefined) return { min: Number(min), max: Number(min) };
  return { min: Number(min), max: max === '' ? Infinity : Number(max) };
}
