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
import { requestJson } from '../http/http.ts';
import { schemasKey } from './schemas-api.ts';

const chatPath = '/api/schema-chat';
const schemasPath = (orgId: string) => `/v0/orgs/${orgId}/schemas`;

export type SchemaChatRequest = Omit<z.input<typeof schemaChatChatBody>, 'mode'>;
export type SchemaExecuteRequest = Omit<z.input<typeof schemaChatExecuteBody>, 'mode'>;

/** Its address names no organization. */
const inOrganization = (orgId: string) => ({ 'x-org-id': orgId });

/** One answer of the model; it ends with the request. */
export function askSchemaChat(orgId: string, body: SchemaChatRequest, signal: AbortSignal): Promise<SchemaChatAnswer> {
  const headers = inOrganization(orgId);
  return requestJson(chatPath, { method: 'POST', body: { mode: 'chat', ...body }, headers, signal });
}

/** What decided calls make of the columns; no model is asked. */
export function executeSchemaCalls(
  orgId: string,
  body: SchemaExecuteRequest,
  signal?: AbortSignal,
): Promise<SchemaExecuteAnswer> {
  const headers = inOrganization(orgId);
  return requestJson(chatPath, { method: 'POST', body: { mode: 'execute', ...body }, headers, signal });
}

/** The columns that a revision is made of; refused for one that columns cannot express. */
export function schemaColumnsQuery(orgId: string, schemaRevid: string) {
  return queryOptions({
    queryKey: [...schemasKey(orgId), 'columns', schemaRevid],
    queryFn: ({ signal }) =>
      requestJson<SchemaColumnsAnswer>(`${schemasPath(orgId)}/${schemaRevid}/columns`, { signal }),
    staleTime: Infinity,
    retry: false,
  });
}

/** A new schema of columns, or with `schema_id` a new revision of one. */
export function saveColumns(orgId: string, body: z.input<typeof schemaFromColumnsBody>): Promise<Schema> {
  return requestJson(`${schemasPath(orgId)}/from-columns`, { method: 'POST', body });
}
