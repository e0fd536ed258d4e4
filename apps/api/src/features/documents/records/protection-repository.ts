import mongoose, { type Connection, type Model, type Types } from 'mongoose';
import { objectIdOf } from '../../../platform/database/object-id.ts';
import { createTagRepositories } from '../../tags/index.ts';
import { documentModel, type DocumentRecord } from './document-model.ts';

/**
 * Keeps from models what a protected document contains: its attachments at every level, the documents that were split from
 * any of them, and the duplicates of all of these, one of which takes the place of an original that is removed. Nothing takes the protection from them when it is taken from the document.
 */
export async function protectContents(
  model: Model<DocumentRecord>,
  organization_id: Types.ObjectId,
  id: Types.ObjectId,
): Promise<void> {
  const seen = new Set<string>();
  for (let parents = [id]; parents.length > 0;) {
    for (const parent of parents) seen.add(parent.toHexString());
    const contained = {
      organization_id,
      $or: [
        { attached_path: { $in: parents } },
        { 'split_from.document_id': { $in: parents } },
        { duplicate_of: { $in: parents } },
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

interface Tagged {
  tag_ids: readonly string[];
}

/** The tags of an organization that keep documents from models. */
export interface TagProtection {
  /** Those of the tags that do. */
  keeping(tagIds: readonly string[]): Promise<string[]>;
  /** Tells which of these new documents have such a tag. */
  keptOf(documents: readonly Tagged[]): Promise<(document: Tagged) => boolean>;
  /**
   * Keeps those of the documents from models that do not have one of the keeping tags yet. Called before they get the tags,
   * so that nothing asks about a document that has such a tag.
   */
  protect(documentIds: readonly Types.ObjectId[], addedTagIds: readonly string[]): Promise<void>;
  /** Keeps all documents with the tag from models, those in the trash too. */
  protectWith(tagId: string): Promise<void>;
}

const batchSize = 500;

export function createTagProtection(connection: Connection): (organizationId: string) => TagProtection {
  const model = documentModel(connection);
  const tagsOf = createTagRepositories(connection);
  return (organizationId) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const keeping = (tagIds: readonly string[]) => tagsOf(organizationId).keeping(tagIds);
    async function protectAll(ids: Types.ObjectId[]): Promise<void> {
      const set = { $set: { never_to_model_in: organization_id } };
      await model.updateMany({ _id: { $in: ids }, organization_id }, set);
      for (const id of ids) await protectContents(model, organization_id, id);
    }
    return {
      keeping,
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
        const open = { organization_id, tag_ids: objectIdOf(tagId) ?? null, never_to_model_in: null };
        for (;;) {
          const found = await model.find(open, { _id: 1 }).limit(batchSize).lean();
          if (found.length === 0) return;
          await protectAll(found.map(({ _id }) => _id));
        }
      },
    };
  };
}
