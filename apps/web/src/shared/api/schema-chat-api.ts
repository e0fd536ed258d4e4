import { queryOptions } from '@tanstack/react-query';
import type {
  Schema,
  SchemaChatAnswer,
  schemaChatChatBody,
  schemaChatExecuteBody,
  SchemaExecuteAnswer,
  schemaFromColumnsBody,
} from '@docwright/contract';
import type { z } from 'zod';
import { requestJson } from '../http/http.ts';
import { schemasKey } from './schemas-api.ts';

/** The mode of the body chooses between the two answers of the operation. */
const chatPath = '/api/schema-chat';
const schemasPath = (orgId: string) => `/v0/orgs/${orgId}/schemas` as const;

type SchemaChatRequest = Omit<z.input<typeof schemaChatChatBody>, 'mode'>;
type SchemaExecuteRequest = Omit<z.input<typeof schemaChatExecuteBody>, 'mode'>;

/** Asks the model once; aborting the request stops it. */
export function askSchemaChat(orgId: string, body: SchemaChatRequest, signal: AbortSignal) {
  return requestJson(chatPath, {
    orgId,
    method: 'POST',
    body: { mode: 'chat', ...body },
    signal,
  }) as Promise<SchemaChatAnswer>;
}

/** Applies decided calls to the columns, without a model. */
export function executeSchemaCalls(orgId: string, body: SchemaExecuteRequest, signal?: AbortSignal) {
  return requestJson(chatPath, {
    orgId,
    method: 'POST',
    body: { mode: 'execute', ...body },
    signal,
  }) as Promise<SchemaExecuteAnswer>;
}

/** The columns of a schema revision; rejected if columns cannot express it. */
export function schemaColumnsQuery(orgId: string, schemaRevid: string) {
  return queryOptions({
    queryKey: [...schemasKey(orgId), 'columns', schemaRevid],
    queryFn: ({ signal }) => requestJson(`${schemasPath(orgId)}/${schemaRevid}/columns`, { signal }),
    staleTime: Infinity,
    retry: false,
  });
}

/** Creates a schema from columns; with `schema_id`, a new revision of it. */
export function saveColumns(orgId: string, body: z.input<typeof schemaFromColumnsBody>): Promise<Schema> {
  return requestJson(`${schemasPath(orgId)}/from-columns`, { method: 'POST', body });
}
