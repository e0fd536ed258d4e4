import { DomainError } from '@docwright/contract';

/** What is said of a failure, which may leave the process: an unexpected one tells nothing of the inside. */
export function describeFailure(error: unknown): { code: string; message: string } {
  if (error instanceof DomainError) return { code: error.code, message: error.message };
  return {
    code: 'internal_error',
    message: 'Something unexpected went wrong in the server. What was done until then stays; try again.',
  };
}

export function timeoutError(milliseconds: number): DomainError {
  const seconds = Math.round(milliseconds / 1000);
  const cure = 'What was done until then stays; send a message to go on.';
  return new DomainError('model_failed', 'turn_timeout', `The turn took longer than ${seconds} s. ${cure}`);
}
