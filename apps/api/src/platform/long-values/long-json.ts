import { inTurns } from './in-turns.ts';

/** Characters that are parsed at once: less than a millisecond. */
const parsedAtOnce = 64 * 1024;
/** Characters that are scanned before other work gets its turn, where nothing can be parsed. */
const scannedAtOnce = 256 * 1024;
/** About how many values, or 64 characters of texts, are written at once. */
const writtenAtOnce = 2_000;
const charactersOfOne = 64;

/** The value of a text that `JSON.stringify` has written, between turns of other work if it is long. */
export async function parseLongJson(text: string): Promise<ReturnType<JSON['parse']>> {
  return text.length <= parsedAtOnce ? JSON.parse(text) : await inTurns(parseSteps(text));
}

/** A list or object whose end has not been reached. */
interface OpenNode {
  /** The position of its bracket. */
  start: number;
  /** Its members so far, once some were parsed before its end. */
  members?: unknown[] | Record<string, unknown>;
  /** Where the text begins that is not parsed yet. */
  from: number;
  /** Where its current member begins. */
  member: number;
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [listStart, listEnd, objectStart, objectEnd] = [0x5b, 0x5d, 0x7b, 0x7d];

function* parseSteps(text: string): Generator<void, unknown, undefined> {
  const open: OpenNode[] = [];
  let last = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (at - last > scannedAtOnce) {
      last = at;
      yield;
    }
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at);
    } else if (code === listStart || code === objectStart) {
      open.push({ start: at, from: at + 1, member: at + 1 });
    } else if (code === comma) {
      const node = open.at(-1)!;
      node.member = at + 1;
      if (at - node.from <= parsedAtOnce) continue;
      for (const outer of open) {
        outer.members ??= noteLong(text.charCodeAt(outer.start) === listStart ? [] : {});
        addMembers(text, outer, outer.member - 1);
        outer.from = outer.member;
      }
      last = at;
      yield;
    } else if (code === listEnd || code === objectEnd) {
      const { members, ...node } = open.pop()!;
      if (members === undefined) continue;
      addMembers(text, { ...node, members }, at);
      const parent = open.at(-1);
      if (parent === undefined) return members;
      addMember(text, parent, node.start, members);
      // Behind the comma that follows, or at the parent's bracket.
      parent.from = at + 1 + (text.charCodeAt(at + 1) === comma ? 1 : 0);
      yield;
    }
  }
  return JSON.parse(text);
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === backslash) at += 1;
    else if (code === quote) return at;
  }
  return text.length;
}

/** Parses the members between `from` and `end`. */
function addMembers(text: string, { members, from }: OpenNode, end: number): void {
  if (end <= from) return;
  const range = text.slice(from, end);
  if (Array.isArray(members)) {
    for (const member of JSON.parse(`[${range}]`) as unknown[]) members.push(member);
    return;
  }
  const parsed = JSON.parse(`{${range}}`) as Record<string, unknown>;
  for (const key of Object.keys(parsed)) setMember(members!, key, parsed[key]);
}

/** Adds a member that was parsed apart. */
function addMember(text: string, { members, member }: OpenNode, end: number, value: unknown): void {
  if (Array.isArray(members)) members.push(value);
  else setMember(members!, JSON.parse(text.slice(member, end - 1)) as string, value);
}

/** Sets a member of any name. */
export function setMember(members: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') members[key] = value;
  else Object.defineProperty(members, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Whether a value is so large that it is written, and checked, between turns of other work. */
export function isLongValue(value: unknown): boolean {
  return weightOf(value, writtenAtOnce) > writtenAtOnce;
}

/** Lists and objects that are known to be long: the first name of an object of many names is found no sooner than all of them. */
const known = new WeakSet<object>();

/** Notes that a value is long, so that nobody has to look. */
export function noteLong<Value extends object>(value: Value): Value {
  known.add(value);
  return value;
}

/** The JSON of a value in pieces, as `JSON.stringify` writes it, between turns of other work if it is long. */
export async function longJson(value: unknown): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  await inTurns(writeSteps(value, (text) => void pieces.push(Buffer.from(text))));
  return pieces;
}

/** The bytes of a value as JSON. */
export async function longJsonBytes(value: unknown): Promise<number> {
  let bytes = 0;
  await inTurns(writeSteps(value, (text) => void (bytes += Buffer.byteLength(text))));
  return bytes;
}

function* writeSteps(value: unknown, write: (text: string) => void): Generator<void, void, undefined> {
  if (!isPlainNode(value) || !isLongValue(value)) {
    write(JSON.stringify(value));
    return;
  }
  const isList = Array.isArray(value);
  let isFirst = true;
  let batch = membersOf(isList);
  let weight = 0;
  const separate = (): void => {
    if (!isFirst) write(',');
    isFirst = false;
  };
  const writeBatch = (): void => {
    const text = JSON.stringify(batch).slice(1, -1);
    batch = membersOf(isList);
    weight = 0;
    if (text === '') return;
    separate();
    write(text);
  };
  write(isList ? '[' : '{');
  yield;
  const keys = isList ? value.keys() : Object.keys(value);
  yield;
  for (const key of keys) {
    const member = (value as Record<PropertyKey, unknown>)[key];
    const own = weightOf(member, writtenAtOnce);
    if (own > writtenAtOnce && isPlainNode(member)) {
      writeBatch();
      separate();
      if (!isList) write(`${JSON.stringify(key)}:`);
      yield* writeSteps(member, write);
      continue;
    }
    if (Array.isArray(batch)) batch.push(member);
    else batch[key as string] = member;
    weight += own;
    if (weight <= writtenAtOnce) continue;
    writeBatch();
    yield;
  }
  writeBatch();
  write(isList ? ']' : '}');
}

/** Without a prototype, a member can have any name. */
function membersOf(isList: boolean): unknown[] | Record<string, unknown> {
  return isList ? [] : (Object.create(null) as Record<string, unknown>);
}

type PlainNode = unknown[] | Record<string, unknown>;

/** A list or an object that `JSON.stringify` writes member by member. */
export function isPlainNode(value: unknown): value is PlainNode {
  return typeof value === 'object' && value !== null && typeof (value as { toJSON?: unknown }).toJSON !== 'function';
}

/** About how much there is to write of a value; counts no further than beyond `max`. */
function weightOf(value: unknown, max: number): number {
  if (typeof value === 'string') return 1 + value.length / charactersOfOne;
  if (!isPlainNode(value)) return 1;
  if (known.has(value)) return max + 1;
  const weight = weightOfMembers(value, max);
  // Within another value it is looked at less far.
  if (weight > writtenAtOnce / 2) known.add(value);
  return weight;
}

function weightOfMembers(value: PlainNode, max: number): number {
  let weight = 1;
  if (Array.isArray(value)) {
    for (const member of value) {
      weight += weightOf(member, max - weight);
      if (weight > max) return weight;
    }
    return weight;
  }
  for (const key in value) {
    weight += 1 + weightOf(value[key], max - weight);
    if (weight > max) return weight;
  }
  return weight;
}
