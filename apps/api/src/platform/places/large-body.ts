import type { FastifyRequest } from 'fastify';

const largeBytes = 1024 * 1024;

/** Whether the body of a request can be so large that it takes a place while it is received. */
export function isLargeBody({ headers }: FastifyRequest): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  return encoding !== undefined || Number(length ?? 0) >= largeBytes;
}
