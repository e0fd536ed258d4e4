import { DomainError } from '@docwright/contract';

export type ParseErrorCode =
  | 'password_required'
  | 'damaged_file'
  | 'unsupported_encryption'
  | 'too_many_pages'
  | 'document_too_large'
  | 'parse_timeout'
  | 'parse_out_of_memory'
  | 'parser_crashed';

/** A document that cannot be read; `message` names the cure. */
export class ParseError extends DomainError {
  declare readonly code: ParseErrorCode;

  constructor(code: ParseErrorCode, message: string) {
    super('unprocessable', code, message);
    this.name = 'ParseError';
  }
}
