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

/**
 * Designs a schema's columns in a conversation. The server stores nothing: history and columns belong to the caller.
 */
export function createSchemaChat(transport: Transport, organizationId: (options?: CallOptions) => Promise<string>) {
  async function send<Answer>(body: object, options: CallOptions): Promise<Answer> {
    const headers = { 'x-org-id': await organizationId(options) };
    return await transport.json(path, { ...options, method: 'POST', body, headers });
  }
  return {
    /**
     * Append `newMessages` to the history, then the tool messages of `execute` and of the answers, and send the next
     * message.
     */
    chat: (request: SchemaChatRequest, options: CallOptions = {}): Promise<SchemaChatAnswer> =>
      send({ ...request, mode: 'chat' }, { timeoutMs: modelTimeout, ...options }),
    /** Runs decided calls and returns the resulting columns. */
    execute: (request: SchemaExecuteRequest, options: CallOptions = {}): Promise<SchemaExecuteAnswer> =>
      send({ ...request, mode: 'execute' }, options),
  };
}
