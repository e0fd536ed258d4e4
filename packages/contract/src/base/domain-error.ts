/** Kinds of domain errors. The HTTP layer maps each kind to one status. */
export type DomainErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'budget_exhausted'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'gone'
  | 'too_large'
  | 'unsupported_type'
  | 'range_not_satisfiable'
  | 'unprocessable'
  | 'rate_limited'
  | 'model_failed'
  | 'agent_failed'
  | 'not_ready'
  | 'storage_full';

/** The HTTP status of each kind. */
export const statusOfKind: Readonly<Record<DomainErrorKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  budget_exhausted: 402,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  gone: 410,
  too_large: 413,
  unsupported_type: 415,
  range_not_satisfiable: 416,
  unprocessable: 422,
  rate_limited: 429,
  model_failed: 502,
  agent_failed: 500,
  not_ready: 503,
  storage_full: 507,
};

/**
 * An error that the caller can act on. `code` is stable and machine readable; `message` is for a user and names the
 * cure. Both can leave the process with `details`, so none of them contains secrets, internal addresses, paths or stack
 * traces. `cause` is only logged.
 */
export class DomainError extends Error {
  readonly kind: DomainErrorKind;
  readonly code: string;
  readonly details: unknown;

  constructor(kind: DomainErrorKind, code: string, message: string, details?: unknown, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DomainError';
    this.kind = kind;
    this.code = code;
    this.details = details;
  }
}
