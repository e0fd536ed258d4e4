import { DomainError } from '@docwright/contract';
import type { ParsedPage, ParserInput } from '../definition/plugin.ts';

/** The pages of a document of one of these types. Throws `wrong_type` for other types and `no_text` for empty documents. */
export async function readStoredPages(input: ParserInput, mimeTypes: readonly string[]): Promise<ParsedPage[]> {
  requireType(input, mimeTypes);
  return pagesWithTextOrThrow(await input.storedPages());
}

export function requireType({ document }: ParserInput, mimeTypes: readonly string[]): void {
  if (mimeTypes.includes(document.mime_type)) return;
  throw new DomainError(
    'unprocessable',
    'wrong_type',
    `This parser does not read files of the type ${document.mime_type}. Choose the parser for that type.`,
  );
}

export function pagesWithTextOrThrow(pages: readonly ParsedPage[]): ParsedPage[] {
  if (pages.some(({ text }) => text.trim() !== '')) return [...pages];
  throw new DomainError('unprocessable', 'no_text', 'No page of this document has text. Read scans with OCR.');
}
