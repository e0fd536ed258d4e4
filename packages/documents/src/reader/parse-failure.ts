/** Why a document or a page cannot be read. The codes are part of the API. */
export type ParseErrorCode =
  | 'password_required'
  | 'wrong_file_password'
  | 'damaged_file'
  | 'unsupported_encryption'
  | 'too_many_pages'
  | 'document_too_large'
  | 'page_too_large'
  | 'parse_timeout'
  | 'parse_out_of_memory'
  | 'parser_crashed'
  | 'damaged_page'
  | 'image_too_large';

/**
 * The reason why a reader rejects a document, inside the parser's thread. Outside it becomes a `ParseError`. It is a
 * class of its own because `ParseError` imports the contract, which would cost every thread more memory than PDFium
 * does.
 */
export class ParseFailure extends Error {
  readonly code: ParseErrorCode;

  constructor(code: ParseErrorCode, message: string) {
    super(message);
    this.name = 'ParseFailure';
    this.code = code;
  }
}
