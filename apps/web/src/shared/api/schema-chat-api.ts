import { queryOptions } from '@tanstack/react-query';
import type {
  Schema,
  SchemaChatAnswer,
  schemaChatChatBody,
  schemaChatExecuteBody,
  SchemaColumnsAnswer,
  SchemaExecuteAnswer,
  schemaFromColumnsBody,
} from '@docwright/contract';
import type { z } from 'zod';
import { inOrganization, requestJson } from '../http/http.ts';
import { schemasKey } from './schemas-api.ts';

const chatPath = '/api/schema-chat';
const schemasPath = (orgId: string) => `/v0/orgs/${orgId}/schemas`;

type SchemaChatRequest = Omit<z.input<typeof schemaChatChatBody>, 'mode'>;
type SchemaExecuteRequest = Omit<z.input<typeof schemaChatExecuteBody>, 'mode'>;

/** Asks the model once; aborting the request stops it. */
export function askSchemaChat(orgId: string, body: SchemaChatRequest, signal: AbortSignal): Promise<SchemaChatAnswer> {
  return requestJson(chatPath, inOrganization(orgId, { method: 'POST', body: { mode: 'chat', ...body }, signal }));
}

/** Applies decided calls to the columns, without a model. */
export function executeSchemaCalls(
  orgId: string,
  body: SchemaExecuteRequest,
  signal?: AbortSignal,
): Promise<SchemaExecuteAnswer> {
  return requestJson(chatPath, inOrganization(orgId, { method: 'POST', body: { mode: 'execute', ...body }, signal }));
}

/** The columns of a schema revision; rejected if columns cannot express it. */
export function schemaColumnsQuery(orgId: string, schemaRevid: string) {
  return queryOptions({
    queryKey: [...schemasKey(orgId), 'columns', schemaRevid],
    queryFn: ({ signal }) =>
      requestJson<SchemaColumnsAnswer>(`${schemasPath(orgId)}/${schemaRevid}/columns`, { signal }),
    staleTime: Infinity,
    retry: false,
  });
}

/** Creates a schema from columns; with `schema_id`, a new revision of it. */
export function saveColumns(orgId: string, body: z.input<typeof schemaFromColumnsBody>): Promise<Schema> {
  return requestJson(`${schemasPath(orgId)}/from-columns`, { method: 'POST', body });
}
