/** A text of a document or user without line breaks, and with its markdown characters escaped. */
export function plainText(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').replaceAll(/[\\`*[\]<>|]|(?<![\p{L}\d])_|_(?![\p{L}\d])/gu, String.raw`\$&`);
}

/** A name as a link to its item, if its id is known. */
export function linked(name: string, kind: 'schema' | 'prompt' | 'tag', id: string): string {
  return id === '' ? bold(name) : `[${plainText(name)}](${kind}:${id})`;
}

export function bold(name: string): string {
  return `**${plainText(name)}**`;
}
