/** Text of a document for an answer in markdown: what would be read as formatting stands as it is written. */
export function plainText(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').replaceAll(/[\\`*[\]<>|]|(?<![\p{L}\d])_|_(?![\p{L}\d])/gu, String.raw`\$&`);
}

/** A name in bold, whatever signs it is made of. */
export function bold(name: string): string {
  return `**${plainText(name)}**`;
}
