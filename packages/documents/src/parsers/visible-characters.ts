/** The number of characters that are not white space, as hidden text is counted. */
export function visibleCharacters(text: string): number {
  return text.replace(/\s/g, '').length;
}
