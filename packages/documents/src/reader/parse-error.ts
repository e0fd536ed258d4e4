import { DomainError } from '@docwright/contract';
import type { ParseErrorCode } from './parse-failure.ts';

/**
 * A document cannot be read. `code` is stable, `message` says what to do, and the HTTP status is 422.
 *
 * @example
 * ```ts
 * import { ParseError, parseDocument } from '@docwright/documents';
 *
 * try {
 *   await parseDocument({ bytes: new Uint8Array(10), mimeType: 'application/pdf' });
 * } catch (error) {
 *   if (!(error instanceof ParseError)) throw error;
 *   console.log(error.code); // 'damaged_file'
 * }
 * ```
 */
export class ParseError extends DomainError {
  declare readonly code: ParseErrorCode;

  constructor(code: ParseErrorCode, message: string) {
    super('unprocessable', code, message);
    this.name = 'ParseError';
  }
}
