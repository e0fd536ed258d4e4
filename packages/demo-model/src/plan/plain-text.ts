/** Text of a document for an answer in markdown: what would be read as formatting stands as it is written. */
export function plainText(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').replaceAll(/[\\`*[\]<>|]|(?<![\p{L}\d])_|_(?![\p{L}\d])/gu, String.raw`\$&`);
}

/** A name that leads to its thing, where its id is known. */
export function linked(name: string, kind: 'schema' | 'prompt' | 'tag', id: string): string {
  return id === '' ? bold(name) : `[${plainText(name)}](${kind}:${id})`;
}

/** A name in bold, whatever signs it is made of. */
export function bold(name: string): string {
  return `**${plainText(name)}**`;
}
