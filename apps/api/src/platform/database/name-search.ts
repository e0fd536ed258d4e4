/** Keeps strings that have this text in them, in any case. */
export function hasInAnyCase(text: string): { $regex: string; $options: 'i' } {
  return { $regex: patternOf(text), $options: 'i' };
}

/** A pattern for the text itself. `RegExp.escape` is none for a database: MongoDB does not know its `\u3000`. */
export function patternOf(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
