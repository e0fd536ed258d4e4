import { errorBody, statusOfKind } from '@docwright/contract';
import { z } from 'zod';
import type { Operation } from './operations.ts';
import type { ReceivedAnswer } from './send-request.ts';

const refusals = new Set(Object.values(statusOfKind).filter((status) => status < 500));

/** Internals that only the operator should see. */
const internals =
  /node_modules|file:\/\/\/(?!etc)|\.[cm]?[jt]s:\d|\n\s+at |Mongo(Server|Network)?Error|BSON(Version)?Error|ZodError|(Type|Range|Syntax|Reference)Error|Cast to|E11000|SQLITE|ECONN|ENOENT|Cannot read prop/u;

const oauthError = z.object({ error: z.string().regex(/^[a-z_]+$/u), error_description: z.string().min(10) });

/** The faults of an answer to odd input; empty if it follows the contract. */
export function complaintsAbout(operation: Operation, answer: ReceivedAnswer, root: string): string[] {
  const { status, text, headers } = answer;
  if (status >= 500) return [`answers ${status}`];
  const complaints: string[] = [];
  if (internals.test(text) || text.includes(root)) complaints.push('shows something internal');
  const documented = operation.statuses.includes(status);
  if (status < 400) return documented ? complaints : [...complaints, `answers ${status}, which is not documented`];
  if (!documented && !refusals.has(status)) complaints.push(`refuses with ${status}, which is not documented`);
  // The Model Context Protocol has its own errors.
  if (operation.path === '/mcp') return complaints;
  if (headers['content-type'] !== 'application/json; charset=utf-8') {
    return [...complaints, `refuses as ${headers['content-type']}`];
  }
  const body: unknown = JSON.parse(text);
  // So does OAuth (RFC 6749 and 7591), for requests that can be parsed.
  if (operation.path.startsWith('/v0/oauth/') && oauthError.safeParse(body).success) return complaints;
  const parsed = errorBody.safeParse(body);
  if (!parsed.success) return [...complaints, 'refuses with a body that is not that of an error'];
  const { code, message, request_id } = parsed.data.error;
  if (!/^[a-z]+(_[a-z0-9]+)*$/u.test(code)) complaints.push(`the code is ${code}`);
  if (message.split(/\s+/u).length < 3 || /Invalid input|received (undefined|NaN)|\[object/u.test(message))
    complaints.push('the message names no cure');
  if (request_id !== headers['x-request-id']) complaints.push('the request_id is not that of the header');
  if (text.length > 8_000) complaints.push('the error is larger than 8 kB');
  return complaints;
}
