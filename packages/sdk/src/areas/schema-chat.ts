import type {
  SchemaChatAnswer,
  schemaChatChatBody,
  schemaChatExecuteBody,
  SchemaExecuteAnswer,
} from '@docwright/contract';
import type { z } from 'zod';
import { modelTimeout } from '../client/organization-api.ts';
import type { CallOptions, Transport } from '../client/transport.ts';

/** The body of `schemaChat.chat`: the history, and the client's state of the columns. */
export type SchemaChatRequest = Omit<z.input<typeof schemaChatChatBody>, 'mode'>;
/** The body of `schemaChat.execute`: decided calls, and the client's state of the columns. */
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
     * Sends the history with a new message. Append the answer's `newMessages` to the history, then the tool messages of
     * `execute` and of the user's answers.
     *
     * @example
     * ```ts
     * import type { Docwright } from '@docwright/sdk';
     *
     * declare const docwright: Docwright;
     * const { newMessages, pendingTools } = await docwright.schemaChat.chat({
     *   messages: [{ role: 'user', content: 'Add the invoice date.' }],
     *   settings: {},
     *   currentColumns: [],
     * });
     * console.log(newMessages.length, pendingTools.length);
     * ```
     */
    chat: (request: SchemaChatRequest, options: CallOptions = {}): Promise<SchemaChatAnswer> =>
      send({ ...request, mode: 'chat' }, { timeoutMs: modelTimeout, ...options }),
    /** Runs decided calls and returns the changed columns. */
    execute: (request: SchemaExecuteRequest, options: CallOptions = {}): Promise<SchemaExecuteAnswer> =>
      send({ ...request, mode: 'execute' }, options),
  };
}
