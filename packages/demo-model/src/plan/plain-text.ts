/** Text of a document for an answer in markdown: what would be read as formatting stands as it is written. */
export function plainText(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').replaceAll(/[\\`*_[\]<>|]/gu, String.raw`\$&`);
}
