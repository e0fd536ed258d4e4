export type ParseErrorCode =
  | 'password_required'
  | 'damaged_file'
  | 'unsupported_encryption'
  | 'too_many_pages'
  | 'document_too_large'
  | 'parse_timeout'
  | 'parse_out_of_memory'
  | 'parser_crashed'
  | 'damaged_page'
  | 'image_too_large';

/**
 * Why a reader gives a document up, on its way out of the parser's thread; there it becomes a `ParseError`. Of its own,
 * since the contract that `ParseError` comes with would cost every thread more than PDFium does.
 */
export class ParseFailure extends Error {
  readonly code: ParseErrorCode;

  constructor(code: ParseErrorCode, message: string) {
    super(message);
    this.name = 'ParseFailure';
    this.code = code;
  }
}
