import { DomainError } from '@docwright/contract';
import type { ParseErrorCode } from './parse-failure.ts';

/** A document that cannot be read; `message` names the cure. */
export class ParseError extends DomainError {
  declare readonly code: ParseErrorCode;

  constructor(code: ParseErrorCode, message: string) {
    super('unprocessable', code, message);
    this.name = 'ParseError';
  }
}
