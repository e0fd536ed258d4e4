import { DomainError } from '@docwright/contract';

/** The error for a host that the guard refuses, in words about sources; undefined for any other error. */
export function refusedHost(error: unknown): DomainError | undefined {
  const cause = error instanceof DomainError ? error : error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof DomainError)) return undefined;
  if (cause.code === 'redirect_refused') {
    const message = 'The host of the source answers with a redirect, which is not followed. Check its address.';
    return new DomainError('invalid', 'source_host_refused', message);
  }
  if (cause.code !== 'address_refused') return undefined;
  const message =
    'The host of the source is private or leads to a private address. The operator can allow it in LLM_ALLOWED_HOSTS.';
  return new DomainError('invalid', 'source_host_refused', message);
}
