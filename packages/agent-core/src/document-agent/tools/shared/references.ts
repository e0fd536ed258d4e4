import type { Document, Prompt, Schema, Tag } from '@docwright/contract';
import { fieldSeparator } from '../../../provenance/read-content.ts';
import type { Listed } from '../../context/services.ts';
import { unreadLines } from '../../context/unread-lines.ts';

/** A document for the model, without size and uploader. */
export function documentReference(document: Document) {
  const { id, document_name, state, page_count, tag_ids, metadata, upload_date, incomplete_results, unread } = document;
  const to_check = document.results?.to_check ?? 0;
  const known = { id, document_name, state, page_count, tag_ids, metadata, upload_date };
  return {
    ...known,
    ...(incomplete_results && { incomplete_results }),
    ...(to_check > 0 && { to_check }),
    ...(unread && { not_read: unreadLines(unread) }),
  };
}

/** The ids, version and name of a prompt, for later calls. */
export function promptReference({ prompt_id, prompt_revid, prompt_version, name }: Prompt) {
  return { prompt_id, prompt_revid, prompt_version, name };
}

/** The ids, version and name of a schema, for later calls. */
export function schemaReference({ schema_id, schema_revid, schema_version, name }: Schema) {
  return { schema_id, schema_revid, schema_version, name };
}

/** Says why an object has another name than the call gave it: an unattended run names kinds, and each has its own name. */
export function renamedNote(asked: string, { name }: { name: string }): { renamed?: string } {
  if (name === asked) return {};
  return {
    renamed: `Stored as “${name}” instead of “${asked}”: a name stands for a kind without its issuer, and is used once in the organization.`,
  };
}

/** The names of a schema's top-level fields, so that the model can recognise the schema. */
export function fieldNames({ response_format }: Pick<Schema, 'response_format'>, max: number): string {
  const { properties } = response_format.json_schema.schema;
  const keys = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
  const names = keys
    .slice(0, max)
    .map((name) => name.replaceAll(',', ' '))
    .join(fieldSeparator);
  return keys.length > max ? `${names} …` : names;
}

/** A tag for the model. */
export function tagReference({ tag_id, name, color, description }: Tag) {
  return { tag_id, name, color, description };
}

/** The size of a list, with `skip` and `limit` only if the answer is a part of it. */
export function pageReference({
  total_count,
  skip,
  limit,
  next_cursor,
}: Pick<Listed<never, never>, 'total_count' | 'skip' | 'limit' | 'next_cursor'>) {
  const part = { total_count, skip, limit, ...(next_cursor !== undefined && { next_cursor }) };
  return skip === 0 && next_cursor === undefined && total_count <= limit ? { total_count } : part;
}
