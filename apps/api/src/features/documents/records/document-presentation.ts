import type { AutoCreate, Document } from '@docwright/contract';
import type { DocumentRecord } from './document-model.ts';

/** Maps a record to the document of the API, without the log of its proposal. */
export function presentDocument(record: DocumentRecord): Document {
  return {
    id: record._id.toHexString(),
    document_name: record.document_name,
    mime_type: record.mime_type,
    page_count: record.page_count,
    size_bytes: record.size_bytes,
    state: record.state,
    ...(record.state_error ? { state_error: record.state_error } : {}),
    ...(record.unread?.length ? { unread: record.unread } : {}),
    tag_ids: record.tag_ids.map((id) => id.toHexString()),
    metadata: record.metadata,
    upload_date: record.upload_date.toISOString(),
    uploaded_by: record.uploaded_by.toHexString(),
    ...(record.ocr_turn ? { ocr: { pages_done: record.pages_done, page_count: record.page_count ?? 0 } } : {}),
    ...(record.releases?.length && { releases: record.releases }),
    ...presentProposal(record),
    ...(record.split_from && {
      split_from: { document_id: record.split_from.document_id.toHexString(), pages: record.split_from.pages },
    }),
    ...(record.routing && { routing: record.routing }),
    never_to_model: Boolean(record.never_to_model_in),
    ...(record.attached_to && { attached_to: record.attached_to.toHexString() }),
    ...(record.duplicate_of && { duplicate_of: record.duplicate_of.toHexString() }),
    ...(record.source_id && { source_id: record.source_id.toHexString() }),
    ...(record.replaces && { replaces: record.replaces.toHexString() }),
    ...(record.replaced_by && { replaced_by: record.replaced_by.toHexString() }),
    ...(record.missing_since && { missing_since: record.missing_since.toISOString() }),
  };
}

/** The same with the data for machines and the signatures, which lists leave out because they can be long. */
export function presentWhole(record: DocumentRecord): Document {
  const { machine_data, signatures } = record;
  return {
    ...presentDocument(record),
    ...(machine_data?.length && { machine_data }),
    ...(signatures?.length && { signatures }),
  };
}

/** A requested run counts as running once the text is ready, so that clients see no gap between the two. */
function presentProposal({ auto_create, auto_create_request, state }: DocumentRecord): { auto_create?: AutoCreate } {
  const hasText = state !== 'uploaded' && state !== 'ocr_processing' && state !== 'ocr_failed';
  if (auto_create_request && hasText) return { auto_create: { status: 'running' } };
  if (!auto_create) return {};
  const { status, schema_revid, prompt_revid, prompt_id, reuses, done_at, error, waiting } = auto_create;
  return {
    auto_create: {
      status,
      ...(waiting === true ? { waiting } : {}),
      ...(schema_revid === undefined ? {} : { schema_revid }),
      ...(prompt_revid === undefined ? {} : { prompt_revid }),
      ...(prompt_id === undefined ? {} : { proposal_id: prompt_id }),
      ...(reuses === undefined ? {} : { reuses }),
      ...(done_at === undefined ? {} : { done_at: done_at.toISOString() }),
      ...(error === undefined ? {} : { error }),
    },
  };
}
