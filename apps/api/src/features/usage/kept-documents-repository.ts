import { DomainError } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { readTogether } from '../../platform/database/joint-reads.ts';
import { objectIdsOf } from '../../platform/database/object-id.ts';
import { createProtection, documentModel } from '../documents/index.ts';
import { createTagRepositories } from '../tags/index.ts';

/** Whether the endpoint of a call keeps what it gets in the house. */
export type IsLocal = () => boolean | Promise<boolean>;

/** The ids of an organization's sources that keep their documents from models. */
export type KeepingSources = (organizationId: string) => Promise<string[]>;

/**
 * Throws `never_to_model` if a call is about a document that no model may see, unless its endpoint is local. `labels` are
 * read only if the organization has such documents.
 */
export type RefuseKept = (organizationId: string, labels: () => Iterable<string>, isLocal: IsLocal) => Promise<void>;

/**
 * A document is kept by its own mark, and by its tags and its source as they are now: a tag that became one that keeps
 * documents in the instant of an upload has missed that document.
 */
export function createKeptDocuments(connection: Connection, keepingSources: readonly KeepingSources[]): RefuseKept {
  const model = documentModel(connection);
  const tagsOf = createTagRepositories(connection);
  const protectionOf = createProtection(connection);
  return async (organizationId, labels, isLocal) => {
    if (!mongoose.isObjectIdOrHexString(organizationId)) return;
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const marked = { organization_id, never_to_model_in: organization_id };
    const [[firstMarked], tags, ...sources] = await Promise.all([
      readTogether(model, marked, { projection: { _id: 1 }, limit: 1 }),
      tagsOf(organizationId).keeping(),
      ...keepingSources.map((of) => of(organizationId)),
    ]);
    const keeping = new Set([...tags, ...sources.flat()]);
    if (firstMarked === undefined && keeping.size === 0) return;
    const named = objectIdsOf([...labels()]);
    if (named.length === 0) return;
    const ids = objectIdsOf([...keeping]);
    const some = { _id: { $in: named }, organization_id };
    const fields = { never_to_model_in: 1, shown_despite: 1, tag_ids: 1, source_id: 1 };
    const found = await model
      .find({ ...some, $or: [marked, { tag_ids: { $in: ids } }, { source_id: { $in: ids } }] }, fields)
      .lean();
    const isMarked = ({ never_to_model_in }: (typeof found)[number]) => Boolean(never_to_model_in);
    const missed = found.filter((document) => {
      const { tag_ids, source_id, shown_despite = [] } = document;
      const despite = new Set(shown_despite.map(String));
      const by = [...tag_ids, ...(source_id ? [source_id] : [])].map(String);
      return !isMarked(document) && by.some((id) => keeping.has(id) && !despite.has(id));
    });
    if ((missed.length === 0 && !found.some(isMarked)) || (await isLocal())) return;
    // From now on it is left out, so that other work does not fail because of it.
    await protectionOf(organizationId).protectAll(missed.map(({ _id }) => _id.toHexString()));
    throw neverToModel();
  };
}

function neverToModel(): DomainError {
  const message =
    'No model may see this document. An admin can clear never_to_model, or mark an endpoint in the house as is_local.';
  return new DomainError('conflict', 'never_to_model', message);
}
