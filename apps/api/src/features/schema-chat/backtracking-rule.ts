import { LruMap } from 'toad-cache';

/** A part of a sequence: a set of characters or a group, and how often it repeats. */
interface Part {
  /** As written, for a set of characters; undefined for a group. */
  source?: string;
  /** Of a group: its alternatives. */
  choices: Part[][];
  least: number;
  most: number;
}

/** A repetition of at least so many rounds tries too many ways where each round can be matched in two. */
const manyRounds = 11;

/**
 * Whether an engine that backtracks could take time exponential in a text for this pattern. Ours is linear whatever the
 * pattern, but a column's regex leaves the product: whoever takes it along runs it on another. Looks at each repeated
 * group: a round that is not always of one length needs a fixed character at one of its ends that stands nowhere else in
 * it, and its alternatives must begin differently. Rather refuses too much: such a pattern can be written plainer.
 */
export function canBacktrackWithoutBound(pattern: string): boolean {
  return someGroup(readChoices(pattern, { at: 0 }), ({ choices, most }) => most >= manyRounds && isAmbiguous(choices));
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
  return choices.some((sequence) => varies(sequence) && !isParted(sequence));
}

function varies(sequence: Part[]): boolean {
  return sequence.some(({ least, most, choices }) => least !== most || choices.length > 1 || choices.some(varies));
}

/** A round begins or ends with one character that stands nowhere else in it. */
function isParted(sequence: Part[]): boolean {
  return [sequence[0], sequence.at(-1)].some((end) => {
    if (end?.source === undefined || end.least !== 1 || end.most !== 1) return false;
    return !overlap([end.source], setsOf(sequence.filter((part) => part !== end)));
  });
}

function setsOf(sequence: Part[]): string[] {
  return sequence.flatMap(({ source, choices }) => (source === undefined ? choices.flatMap(setsOf) : [source]));
}

/** The sets that a sequence can begin with; all of them where it may be empty. */
function startsOf(sequence: Part[]): string[] {
  const firm = sequence.findIndex(({ least }) => least > 0);
  return setsOf(firm === -1 ? sequence : sequence.slice(0, firm + 1).map((part) => firstOf(part)));
}

function firstOf(part: Part): Part {
  return part.source === undefined ? { ...part, choices: part.choices.map((each) => each.slice(0, 1)) } : part;
}

const samples = [...Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)), 'Ā', 'я', '中', '\u2028', 'ﬀ'];

/** Which of the samples are in a set, a bit for each; asked for the same sets again and again. */
const known = new LruMap<bigint>(2000);

function bitsOf(source: string): bigint {
  const found = known.get(source);
  if (found !== undefined) return found;
  const set = setOf(source);
  const bits = samples.reduce((sum, sample, at) => (set.test(sample) ? sum | (1n << BigInt(at)) : sum), 0n);
  known.set(source, bits);
  return bits;
}

function overlap(one: string[], other: string[]): boolean {
  const union = (sources: string[]) => sources.reduce((sum, source) => sum | bitsOf(source), 0n);
  return (union(one) & union(other)) !== 0n;
}

/** A set that is written in a way that only the other engine reads counts as any character. */
function setOf(source: string): RegExp {
  try {
    return new RegExp(`^(?:${/^[{}\]]$/.test(source) ? `\\${source}` : source})$`, 'su');
  } catch {
    return /^[\s\S]$/u;
  }
}

/** Reads alternatives up to the end or a closing bracket; `place.at` moves along. */
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

function readRepeat(pattern: string, place: { at: number }): Pick<Part, 'least' | 'most'> {
  const found = /^(?:([*+?])|\{(\d+)(,(\d*))?\})[?+]?/.exec(pattern.slice(place.at));
  if (found === null) return { least: 1, most: 1 };
  place.at += found[0].length;
  const [, sign, least, range, most] = found;
  if (sign !== undefined) return { least: sign === '+' ? 1 : 0, most: sign === '?' ? 1 : Infinity };
  if (range === undefined) return { least: Number(least), most: Number(least) };
  return { least: Number(least), most: most === '' ? Infinity : Number(most) };
}
