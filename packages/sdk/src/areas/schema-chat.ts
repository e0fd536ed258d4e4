import type {
  SchemaChatAnswer,
  schemaChatChatBody,
  schemaChatExecuteBody,
  SchemaExecuteAnswer,
} from '@docwright/contract';
import type { z } from 'zod';
import { modelTimeout } from '../client/organization-api.ts';
import type { CallOptions, Transport } from '../client/transport.ts';

export type SchemaChatRequest = Omit<z.input<typeof schemaChatChatBody>, 'mode'>;
export type SchemaExecuteRequest = Omit<z.input<typeof schemaChatExecuteBody>, 'mode'>;

const path = '/api/schema-chat';

/** The design of a schema's columns by conversation. The server keeps nothing: history and columns are the caller's. */
export function createSchemaChat(transport: Transport, organizationId: (options?: CallOptions) => Promise<string>) {
  async function send<Answer>(body: object, options: CallOptions): Promise<Answer> {
    const headers = { 'x-org-id': await organizationId(options) };
    return await transport.json(path, { ...options, method: 'POST', body, headers });
  }
  return {
    /** Append `newMessages` to the history, then the tool messages of `execute` and of the answers, and say more. */
    chat: (request: SchemaChatRequest, options: CallOptions = {}): Promise<SchemaChatAnswer> =>
      send({ ...request, mode: 'chat' }, { timeoutMs: modelTimeout, ...options }),
    /** Runs decided calls; the answer holds the columns as they are then. */
    execute: (request: SchemaExecuteRequest, options: CallOptions = {}): Promise<SchemaExecuteAnswer> =>
      send({ ...request, mode: 'execute' }, options),
  };
}
