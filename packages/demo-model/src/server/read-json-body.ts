import type { IncomingMessage } from 'node:http';
import { ApiError } from './api-error.ts';

/**
 * Parses the request's body as JSON.
 *
 * @throws ApiError 413 beyond `limitBytes`, 400 when it is not JSON.
 */
export async function readJsonBody(request: IncomingMessage, limitBytes: number): Promise<unknown> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request) {
    const bytes = part as Buffer;
    length += bytes.length;
    if (length > limitBytes) {
      throw new ApiError(413, 'request_too_large', `The request is larger than ${limitBytes} bytes. Send less text.`);
    }
    parts.push(bytes);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch {
    throw new ApiError(400, 'invalid_json', 'The body is not valid JSON.');
  }
}
