import { LogController, type FastifyReply, type FastifyRequest } from 'fastify';

/** One line a request, when it is done; what only loads the page is of interest when looking for a fault. */
export class RequestLog extends LogController {
  override incomingRequest(): void {}

  override requestCompleted(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    const line = `${request.method} ${loggableUrl(request.url)} ${reply.statusCode} ${Math.round(reply.elapsedTime)} ms`;
    if (error) request.log.warn({ err: error }, line);
    else if (/^\/(v0|api|sign-in)\b/.test(request.url)) request.log.info(line);
    else request.log.debug(line);
  }

  override routeNotFound(): void {}
}

/** The address without what would let its reader sign in. */
export function loggableUrl(url: string): string {
  return url.replace(/([?&][^=&]*(?:token|key|secret|password)[^=&]*=)[^&]*/gi, '$1[redacted]');
}
