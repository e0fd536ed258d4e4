/** Maximum number of characters of a result in a conversation, where it stays for the later turns. */
export const maxResultCharacters = 8000;

/** The argument of every tool that reads: where to continue a result that was cut. */
export const restArgument = 'rest_from';

/** Characters of a piece at first. Marks and deep nesting come on top, so that a piece can need to be smaller. */
const firstRoom = 7000;

/**
 * A result as JSON text for the model, of at most 8,000 characters: whole, or a piece of it in its own shape. What is cut is
 * marked where it is missing, and `rest` says how to read on.
 *
 * @param from where the piece begins, as an earlier piece named it
 * @param tool the tool to call again; undefined if calling it again would change something
 */
export function boundedContent(result: unknown, tool: string | undefined, from = 0): string {
  const whole = JSON.stringify(result) ?? 'null';
  if (from === 0 && whole.length <= maxResultCharacters) return whole;
  const value: unknown = JSON.parse(whole);
  for (let room = firstRoom; room >= 1; room = Math.floor(room / 2)) {
    const cursor: Cursor = { skip: from, room, taken: 0, isFull: false };
    const piece = pieceOf(value, cursor);
    const rest = restNote(whole.length, cursor.isFull ? from + cursor.taken : undefined, tool);
    const isObject = typeof piece === 'object' && piece !== null && !Array.isArray(piece) && !('rest' in piece);
    const content = JSON.stringify({ rest, ...(isObject ? piece : { result: piece === left ? null : piece }) });
    if (content.length <= maxResultCharacters) return content;
  }
  return JSON.stringify({ rest: `The result has ${whole.length} characters and cannot be shown. Ask for less.` });
}

function restNote(length: number, next: number | undefined, tool: string | undefined): string {
  if (next === undefined) return 'This is the end of the result.';
  const said = `The result has ${length} characters; this is a piece of it.`;
  return tool === undefined
    ? `${said} What was done is done; read what you need with a tool that reads.`
    : `${said} For the next one call ${tool} with the same arguments and ${restArgument}: ${next}.`;
}

/** `skip`: characters of values before the piece; `room`: what it may still hold; `taken`: characters of values in it. */
interface Cursor {
  skip: number;
  room: number;
  taken: number;
  /** A value was left out after the piece. */
  isFull: boolean;
}

/** Outside of the piece. */
const left = Symbol('left');

function pieceOf(value: unknown, cursor: Cursor): unknown {
  if (typeof value === 'string') return pieceOfText(value, cursor);
  if (Array.isArray(value) && value.length > 0) return pieceOfList(value, cursor);
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (entries.length === 0) return take(JSON.stringify(value).length, cursor, true) === undefined ? left : value;
  const kept = entries.flatMap(([key, each]) => {
    const piece = pieceOf(each, cursor);
    if (piece === left) return [];
    cursor.room -= key.length + 4;
    return [[key, piece] as const];
  });
  return kept.length === 0 ? left : Object.fromEntries(kept);
}

function pieceOfList(list: readonly unknown[], cursor: Cursor): unknown {
  const pieces = list.map((each) => {
    const piece = pieceOf(each, cursor);
    if (piece !== left) cursor.room -= 1;
    return piece;
  });
  const first = pieces.findIndex((piece) => piece !== left);
  if (first === -1) return left;
  const last = pieces.findLastIndex((piece) => piece !== left);
  const after = list.length - 1 - last;
  return [
    ...(first > 0 ? [`[cut: ${first} entries before]`] : []),
    ...pieces.slice(first, last + 1),
    ...(after > 0 ? [`[cut: ${after} more entries]`] : []),
  ];
}

/** A text counts as in JSON, where line breaks and quotes need two characters. */
function pieceOfText(text: string, cursor: Cursor): unknown {
  const size = Math.max(1, JSON.stringify(text).length - 2);
  const taken = take(size, cursor, false);
  if (taken === undefined) return left;
  const share = text.length / size;
  const from = atCharacter(text, Math.floor(taken.from * share));
  const to = taken.to >= size ? text.length : atCharacter(text, Math.floor(taken.to * share));
  const before = from > 0 ? `[cut: ${from} characters before]` : '';
  const after = to < text.length ? `[cut: ${text.length - to} more characters]` : '';
  return `${before}${text.slice(from, to)}${after}`;
}

/** Takes a value of that size, or a part of it; undefined if it lies before or after the piece. */
function take(size: number, cursor: Cursor, isWhole: boolean): { from: number; to: number } | undefined {
  if (cursor.skip >= size) {
    cursor.skip -= size;
    return undefined;
  }
  const from = cursor.skip;
  if (cursor.isFull || cursor.room <= 0 || (isWhole && size - from > cursor.room)) {
    cursor.isFull = true;
    return undefined;
  }
  const to = Math.min(size, from + cursor.room);
  cursor.skip = 0;
  cursor.room -= to - from;
  cursor.taken += to - from;
  if (to < size) cursor.isFull = true;
  return { from, to };
}

/** An offset that is not within a character of two units. */
function atCharacter(text: string, at: number): number {
  const isWithin = /[\uDC00-\uDFFF]/.test(text.charAt(at)) && /[\uD800-\uDBFF]/.test(text.charAt(at - 1));
  return isWithin ? at - 1 : at;
}
