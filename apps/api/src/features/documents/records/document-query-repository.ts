import type { DocumentSelection } from '@docwright/contract';
import mongoose, { type Connection, type QueryFilter } from 'mongoose';
import { objectIdsOf } from '../../../platform/database/object-id.ts';
import { nameHas, type DocumentRecord } from './document-model.ts';
import { addStage, type StageFacts } from '../stages/document-stage.ts';

/** A selection of documents. Those in the trash can also be sorted by the time of their deletion. */
type AnyDocumentSelection = Omit<DocumentSelection, 'sort'> & {
  sort?: DocumentSelection['sort'] | 'deleted_at';
  /** For a `stage`. */
  stageFacts?: StageFacts | undefined;
};

/**
 * Translates the query of the document list, for the list itself and for bulk actions on its results. `among` selects
 * the organization and whether to search the trash; `connection` says how names are found. Ties are sorted by id, so that pages do not overlap.
 */
export function documentQuery(
  among: QueryFilter<DocumentRecord>,
  {
    name_search,
    tag_ids,
    state,
    auto_create,
    release,
    stage,
    stageFacts = { waiting: [], areKept: false },
    routing,
    include_replaced,
    missing,
    attached_to,
    sort = 'upload_date',
    order,
  }: AnyDocumentSelection,
  connection?: Connection,
): { filter: QueryFilter<DocumentRecord>; sort: Record<string, 1 | -1> } {
  const filter: QueryFilter<DocumentRecord> = { ...among };
  if (name_search !== undefined && name_search !== '') Object.assign(filter, nameHas(name_search, connection));
  if (tag_ids !== undefined && tag_ids.length > 0) filter.tag_ids = { $all: objectIdsOf(tag_ids) };
  if (state !== undefined) filter.state = state;
  if (auto_create !== undefined) Object.assign(filter, { 'auto_create.status': auto_create });
  if (release !== undefined) Object.assign(filter, { 'releases.state': release });
  if (stage !== undefined) addStage(filter, stage, stageFacts);
  if (routing !== undefined) Object.assign(filter, { 'routing.state': routing });
  if (attached_to !== undefined) {
    const parent = new mongoose.Types.ObjectId(attached_to);
    // The index is on the path.
    Object.assign(filter, { attached_path: parent, attached_to: parent });
  }
  // A range: an index of the few that are missing is read, which “not null” does not.
  if (missing === true) filter.missing_since = { $gt: new Date(0) };
  // Its index says which few are replaced.
  if (include_replaced !== true) filter.replaced_in = null;
  const isDate = sort === 'upload_date' || sort === 'deleted_at';
  const direction = (order ?? (isDate ? 'desc' : 'asc')) === 'asc' ? 1 : -1;
  return { filter, sort: { [sort === 'document_name' ? 'name_key' : sort]: direction, _id: direction } };
}
