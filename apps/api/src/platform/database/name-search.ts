/** A filter for strings that contain this text, ignoring case. */
export function hasInAnyCase(text: string): { $regex: string; $options: 'i' } {
  return { $regex: patternOf(text), $options: 'i' };
}

/** A pattern that matches the text literally. `RegExp.escape` does not fit: MongoDB does not know its `\u3000`. */
export function patternOf(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
