import { LogController, type FastifyReply, type FastifyRequest } from 'fastify';

/** Logs one line per completed request; requests that only load the page are at debug level. */
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

/** The URL with credentials redacted. */
export function loggableUrl(url: string): string {
  return url.replace(/([?&][^=&]*(?:token|key|secret|password)[^=&]*=)[^&]*/gi, '$1[redacted]');
}
