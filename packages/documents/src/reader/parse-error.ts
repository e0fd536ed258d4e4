import { DomainError } from '@docwright/contract';
import type { ParseErrorCode } from './parse-failure.ts';

/**
 * The error of a document that cannot be read. `code` is stable, `message` names the cure, and the HTTP status is 422.
 */
export class ParseError extends DomainError {
  declare readonly code: ParseErrorCode;

  constructor(code: ParseErrorCode, message: string) {
    super('unprocessable', code, message);
    this.name = 'ParseError';
  }
}
