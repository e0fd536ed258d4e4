import { subscribe } from 'node:diagnostics_channel';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { errorsOf } from '../platform/http/route-errors.ts';

/** Undeclared errors that routes have answered in this process. */
const undeclared = new Set<string>();

subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook('onSend', async (request, reply, payload) => {
    const code = reply.statusCode < 400 ? undefined : codeOf(payload);
    if (code !== undefined && !isDeclared(request, reply.statusCode, code)) {
      undeclared.add(`${request.method} ${request.routeOptions.url} answered ${reply.statusCode} ${code}`);
    }
    return payload;
  });
});

/** Throws if a route has answered an error that its schema's `errors` do not declare. */
export function requireDeclaredErrors(): void {
  const found = [...undeclared];
  undeclared.clear();
  if (found.length > 0) throw new Error(`Errors that their routes do not declare:\n${found.join('\n')}`);
}

function isDeclared({ routeOptions }: FastifyRequest, status: number, code: string): boolean {
  const { method, url, schema, config } = routeOptions;
  // No route, or an undocumented one: of a test, or the web app's files.
  if (url === undefined || method === undefined || schema?.operationId === undefined) return true;
  return errorsOf({ method, url, schema, config }).some((error) => error.status === status && error.code === code);
}

/** Undefined if it is no error body of ours; MCP errors have numeric codes. */
function codeOf(payload: unknown): string | undefined {
  if (typeof payload !== 'string') return undefined;
  const { error } = JSON.parse(payload) as { error?: { code?: unknown } };
  return typeof error?.code === 'string' ? error.code : undefined;
}
