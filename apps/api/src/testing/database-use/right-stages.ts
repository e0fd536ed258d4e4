import type { Connection } from 'mongoose';
import { documentModel } from '../../features/documents/records/document-model.ts';
import { stageExpression } from '../../features/documents/stages/stage-of-document.ts';

/** Throws if a stage that is stored with a document is not the one that its other fields say. Tests call it at their end. */
export async function requireRightStages(connection: Connection): Promise<void> {
  const isWrong = { stage: { $ne: null }, $expr: { $ne: ['$stage', stageExpression] } };
  const wrong = await documentModel(connection).collection.find(isWrong).limit(3).toArray();
  if (wrong.length === 0) return;
  const fields = wrong.map(({ stage, state, auto_create, review, releases, duplicate_of }) =>
    JSON.stringify({ stage, state, auto_create, review, releases, duplicate_of }),
  );
  throw new Error(`Documents have a stage that is not theirs: ${fields.join(', ')}`);
}
