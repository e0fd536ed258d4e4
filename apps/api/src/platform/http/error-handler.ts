import { DomainError, statusOfKind, type ErrorBody } from '@docwright/contract';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { isDatabaseUnavailable, isDiskFull } from '../database/connection.ts';
import { watchAllowedMethods } from './allowed-methods.ts';
import { InvalidRequest } from './request-validation.ts';
import { asksForPage } from './web-app.ts';

interface Failure {
  status: number;
  code: string;
  message: string;
  details?: unknown;
}

const notFound: Failure = {
  status: 404,
  code: 'not_found',
  message: 'This does not exist, or you have no access to it.',
};
const internal: Failure = {
  status: 500,
  code: 'internal_error',
  message: 'The server failed unexpectedly. The log has the reason under the request_id.',
};

/** The one place that turns a failure into a status and an error body. */
export const errorHandler = fastifyPlugin(
  async (app) => {
    const allowedMethods = watchAllowedMethods(app);
    app.setErrorHandler((error, request, reply) => {
      const failure = failureOf(error, request);
      if (failure.status >= 500) {
        // A client that disconnects makes libraries fail on the closed socket.
        const level = request.raw.socket.destroyed ? 'info' : 'error';
        request.log[level]({ err: error }, 'request failed');
      }
      return sendFailure(request, reply, failure);
    });
    // Returns nothing: Fastify waits for a returned reply with listeners, and Node warns of too many of them.
    app.setNotFoundHandler((request, reply) => {
      const allowed = allowedMethods.of(request.url.replace(/\?.*$/su, ''));
      if (allowed.length > 0 && !allowed.includes(request.method)) sendMethodNotAllowed(request, reply, allowed);
      else if (asksForPage(request)) reply.sendWebApp();
      else sendNotFound(request, reply);
    });
  },
  { name: 'error-handler' },
);

export function sendNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendFailure(request, reply, notFound);
}

function sendMethodNotAllowed(request: FastifyRequest, reply: FastifyReply, allowed: readonly string[]): FastifyReply {
  const message = `${request.method} is not served here. This path takes ${allowed.join(', ')}.`;
  return sendFailure(request, reply.header('allow', allowed.join(', ')), {
    status: statusOfKind.method_not_allowed,
    code: 'method_not_allowed',
    message,
    details: { allowed },
  });
}

function sendFailure(request: FastifyRequest, reply: FastifyReply, failure: Failure): FastifyReply {
  return (
    reply
      .code(failure.status)
      // Hooks do not run for an unknown path.
      .header('x-request-id', request.id)
      .headers(retryHeaders(failure))
      .type('application/json; charset=utf-8')
      .serializer(JSON.stringify)
      .send(errorBodyOf(failure, request.id))
  );
}

/** A model provider's retry delay is passed on. */
function retryHeaders({ status, details }: Failure): Record<string, string> {
  if (status !== 429 || typeof details !== 'object' || details === null) return {};
  const seconds = (details as Record<string, unknown>)['retry_after_seconds'];
  return typeof seconds === 'number' ? { 'retry-after': String(seconds) } : {};
}

function errorBodyOf({ code, message, details }: Failure, requestId: string): ErrorBody {
  return { error: { code, message, ...(details === undefined ? {} : { details }), request_id: requestId } };
}

function failureOf(error: unknown, request: FastifyRequest): Failure {
  if (error instanceof DomainError) {
    const { kind, code, message, details } = error;
    return { status: statusOfKind[kind], code, message, details };
  }
  if (error instanceof InvalidRequest) return invalidInput(error);
  if (isDiskFull(error)) {
    return {
      status: statusOfKind.storage_full,
      code: 'disk_full',
      message: 'The disk of the database is full. Free some space; pending work then continues by itself.',
    };
  }
  if (isDatabaseUnavailable(error)) {
    return {
      status: 503,
      code: 'database_unavailable',
      message: 'The database is unavailable. Try again shortly.',
    };
  }
  return frameworkFailure(error as Partial<FastifyError>, request);
}

/** An invalid path is not found; an invalid body, query or header is the caller's to fix. */
function invalidInput({ issues, validationContext }: InvalidRequest): Failure {
  if (validationContext === 'params') return notFound;
  const where = validationContext === 'querystring' ? 'query' : (validationContext ?? 'body');
  const details = issues.map((issue) => ({ in: where, ...issue }));
  const [first] = issues;
  const place = first?.path ? `${where}: ${first.path}` : where;
  return {
    status: 422,
    code: 'invalid_request',
    message: `The request does not fit its schema. ${place}: ${first?.message}`,
    details,
  };
}

const frameworkFailures: Record<string, Omit<Failure, 'status'>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: { code: 'malformed_json', message: 'The body is not JSON.' },
  FST_ERR_CTP_EMPTY_JSON_BODY: { code: 'malformed_json', message: 'The content type is JSON, but the body is empty.' },
  FST_ERR_CTP_BODY_TOO_LARGE: { code: 'body_too_large', message: 'The body exceeds the size limit of this route.' },
  FST_FIELDS_LIMIT: { code: 'body_too_large', message: 'The form has more fields than this route takes.' },
  FST_PARTS_LIMIT: { code: 'body_too_large', message: 'The form has more parts than this route takes.' },
  FST_REQ_FILE_TOO_LARGE: { code: 'file_too_large', message: 'The file exceeds the size limit.' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'unsupported_media_type',
    message:
      'This route does not accept that content type. Send application/json unless its description says otherwise.',
  },
};

function frameworkFailure(error: Partial<FastifyError>, request: FastifyRequest): Failure {
  const status = error.statusCode ?? 500;
  // The file server answers 403 for a path outside its root.
  if (status === 404 || status === 403) return notFound;
  if (status < 400 || status >= 500) return internal;
  const known = error.code === undefined ? undefined : frameworkFailures[error.code];
  if (known !== undefined) return { status, ...known };
  request.log.info({ err: error }, 'request refused by the framework');
  return { status, code: 'bad_request', message: 'The request could not be understood.' };
}
