/** Beside the tool definitions, what a system prompt should come near to and not pass. */
export const contextTokens = 8000;

/**
 * Tokens of a text, without a tokenizer: four characters of ASCII, or one and a half of anything else, are about one.
 * It errs on the high side, since a prompt that is too long costs more than one that is cut a little early.
 */
export function approximateTokens(text: string): number {
  let ascii = 0;
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) < 128) ascii += 1;
  return Math.ceil(ascii / 4 + (text.length - ascii) / 1.5);
}
