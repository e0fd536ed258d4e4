import type { Model, Types } from 'mongoose';
import type { DocumentRecord } from './document-model.ts';

/**
 * Keeps from models what a protected document contains: its attachments at every level, and the documents that were split
 * from any of them. Nothing takes the protection from them when it is taken from the document.
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
      $or: [{ attached_path: { $in: parents } }, { 'split_from.document_id': { $in: parents } }],
    };
    const found = await model.find(contained, { _id: 1 }).lean();
    parents = found.map(({ _id }) => _id).filter((each) => !seen.has(each.toHexString()));
    await model.updateMany(
      { _id: { $in: parents }, organization_id },
      { $set: { never_to_model_in: organization_id }, $inc: { changes: 1 } },
    );
  }
}
