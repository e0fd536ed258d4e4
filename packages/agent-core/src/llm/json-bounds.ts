/**
 * What JSON of a model may hold. Parsing and validating more holds up everything else in the process; the rows of the longest
 * results are fewer.
 */
export const jsonBounds = { entries: 200_000, depth: 500 };

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

/** Whether a text of JSON is beyond the bounds, without building a value. Whether it is JSON is for the parser to say. */
export function isBeyondBounds(text: string): boolean {
  // Each entry and each level has a character of its own.
  if (text.length <= jsonBounds.depth) return false;
  let entries = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at + 1);
    } else if (code === comma) {
      entries += 1;
    } else if (code === 0x5b || code === 0x7b) {
      entries += 1;
      depth += 1;
    } else if (code === 0x5d || code === 0x7d) {
      depth -= 1;
    }
    if (entries > jsonBounds.entries || depth > jsonBounds.depth) return true;
  }
  return false;
}

/**
 * Parses JSON that comes from outside inside of a text, such as a result in a history that a client sends. Throws a SyntaxError like
 * `JSON.parse`, also beyond the bounds: what walks the value deeper has no room on the stack.
 */
export function parseBoundedJson(text: string): unknown {
  if (isBeyondBounds(text)) throw new SyntaxError(`JSON of more than ${jsonBounds.depth} levels`);
  return JSON.parse(text) as unknown;
}

/** The place of the quote that ends a string; the end of the text without one. */
function endOfString(text: string, from: number): number {
  for (let at = from; ; at += 1) {
    at = text.indexOf('"', at);
    if (at < 0) return text.length;
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === backslash) escapes += 1;
    if (escapes % 2 === 0) return at;
  }
}
