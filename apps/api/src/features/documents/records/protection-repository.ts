import type { Document } from '@docwright/contract';
import mongoose, { type Connection, type Model, type QueryFilter, type Types } from 'mongoose';
import { objectIdOf, objectIdsOf } from '../../../platform/database/object-id.ts';
import { createTagRepositories } from '../../tags/index.ts';
import { documentModel, type DocumentRecord } from './document-model.ts';

/**
 * Keeps from models what a protected document contains: its attachments at every level, the documents that were split from
 * any of them, and all documents with the same bytes as one of these. Nothing takes the protection from them when it is
 * taken from the document.
 */
export async function protectContents(
  model: Model<DocumentRecord>,
  organization_id: Types.ObjectId,
  id: Types.ObjectId,
): Promise<void> {
  const seen = new Set<string>();
  for (let parents = [id]; parents.length > 0;) {
    for (const parent of parents) seen.add(parent.toHexString());
    const duplicates = { _id: { $in: parents }, organization_id, duplicate_of: { $ne: null } };
    const originals = await model.distinct('duplicate_of', duplicates);
    const contained = {
      organization_id,
      $or: [
        { attached_path: { $in: parents } },
        { 'split_from.document_id': { $in: parents } },
        { duplicate_of: { $in: parents } },
        { _id: { $in: originals } },
      ],
    };
    const found = await model.find(contained, { _id: 1 }).lean();
    parents = found.map(({ _id }) => _id).filter((each) => !seen.has(each.toHexString()));
    await model.updateMany(
      { _id: { $in: parents }, organization_id },
      { $set: { never_to_model_in: organization_id }, $inc: { changes: 1 } },
    );
  }
}

/** The fields of a document that a user keeps from models, or shows to them despite its tags and its source. */
export function markOf(
  isKept: boolean,
  { organization_id, tag_ids, source_id }: DocumentRecord,
  changedTags: readonly string[] | undefined,
): Pick<DocumentRecord, 'never_to_model_in' | 'shown_despite'> {
  if (isKept) return { never_to_model_in: organization_id, shown_despite: [] };
  const tags = changedTags === undefined ? tag_ids : objectIdsOf(changedTags);
  return { never_to_model_in: null, shown_despite: [...tags, ...(source_id ? [source_id] : [])] };
}

interface Tagged {
  tag_ids: readonly string[];
}

/** The tags and sources of an organization that keep documents from models. */
export interface Protection {
  /** Those of the tags that do. */
  keeping(tagIds: readonly string[]): Promise<string[]>;
  /** Tells which of these new documents have such a tag. */
  keptOf(documents: readonly Tagged[]): Promise<(document: Tagged) => boolean>;
  /**
   * Keeps those of the documents from models that do not have one of the keeping tags yet. Called before they get the tags,
   * so that nothing asks about a document that has such a tag.
   */
  protect(documentIds: readonly Types.ObjectId[], addedTagIds: readonly string[]): Promise<void>;
  /**
   * Keeps those of just written documents from models that have a keeping tag: it can have become one since it was looked
   * up. Returns the documents as they are then.
   */
  recheck(documents: readonly Document[]): Promise<Document[]>;
  /** The same for those split off another document, which can have been kept from models meanwhile. */
  recheckParts(originalId: string, documents: readonly Document[]): Promise<Document[]>;
  /** Keeps these documents from models. */
  protectAll(documentIds: readonly string[]): Promise<void>;
  /** Keeps all documents with the tag from models, those in the trash too. */
  protectWith(tagId: string): Promise<void>;
  /** Keeps all documents that the source has brought from models, those in the trash too. */
  protectFrom(sourceId: string): Promise<void>;
}

const batchSize = 500;

export function createProtection(connection: Connection): (organizationId: string) => Protection {
  const model = documentModel(connection);
  const tagsOf = createTagRepositories(connection);
  return (organizationId) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const keeping = (tagIds: readonly string[]) => tagsOf(organizationId).keeping(tagIds);
    async function protectAll(ids: readonly Types.ObjectId[]): Promise<void> {
      const update = { $set: { never_to_model_in: organization_id }, $unset: { shown_despite: 1 as const } };
      await model.updateMany({ _id: { $in: [...ids] }, organization_id }, update);
      for (const id of ids) await protectContents(model, organization_id, id);
    }
    async function protectEach(some: QueryFilter<DocumentRecord>): Promise<void> {
      const open = { organization_id, ...some, never_to_model_in: null };
      for (;;) {
        const found = await model.find(open, { _id: 1 }).limit(batchSize).lean();
        if (found.length === 0) return;
        await protectAll(found.map(({ _id }) => _id));
      }
    }
    return {
      keeping,
      protectAll: (ids) => protectAll(objectIdsOf(ids)),
      async recheckParts(originalId, documents) {
        const _id = new mongoose.Types.ObjectId(originalId);
        const isKept = await model.exists({ _id, organization_id, never_to_model_in: organization_id });
        if (isKept === null) return await this.recheck(documents);
        await protectContents(model, organization_id, _id);
        return documents.map((document) => ({ ...document, never_to_model: true }));
      },
      async recheck(documents) {
        const open = documents.filter(({ never_to_model, tag_ids }) => never_to_model !== true && tag_ids.length > 0);
        const keepingTags = new Set(await keeping(open.flatMap(({ tag_ids }) => tag_ids)));
        const tagged = open.filter(({ tag_ids }) => tag_ids.some((tag) => keepingTags.has(tag)));
        if (tagged.length === 0) return [...documents];
        const some = { _id: { $in: objectIdsOf(tagged.map(({ id }) => id)) }, organization_id };
        const found = await model.find(some, { tag_ids: 1, shown_despite: 1 }).lean();
        const isKept = ({ tag_ids, shown_despite = [] }: (typeof found)[number]) =>
          tag_ids.some((tag) => keepingTags.has(String(tag)) && !shown_despite.some((each) => each.equals(tag)));
        const kept = found.filter(isKept).map(({ _id }) => _id);
        await protectAll(kept);
        const isMarked = new Set(kept.map(String));
        return documents.map((document) =>
          isMarked.has(document.id) ? { ...document, never_to_model: true } : document,
        );
      },
      async keptOf(documents) {
        const kept = new Set(await keeping(documents.flatMap(({ tag_ids }) => tag_ids)));
        return ({ tag_ids }) => tag_ids.some((tag) => kept.has(tag.toLowerCase()));
      },
      async protect(documentIds, addedTagIds) {
        const kept = await keeping(addedTagIds);
        if (kept.length === 0) return;
        const found = await model.find({ _id: { $in: [...documentIds] }, organization_id }, { tag_ids: 1 }).lean();
        const isNew = (present: Types.ObjectId[]) => kept.some((tag) => !present.some((each) => each.equals(tag)));
        await protectAll(found.filter(({ tag_ids }) => isNew(tag_ids)).map(({ _id }) => _id));
      },
      async protectWith(tagId) {
        const tag_ids = objectIdOf(tagId);
        if (tag_ids) await protectEach({ tag_ids });
      },
      async protectFrom(sourceId) {
        const source_id = objectIdOf(sourceId);
        if (source_id) await protectEach({ source_id });
      },
    };
  };
}
