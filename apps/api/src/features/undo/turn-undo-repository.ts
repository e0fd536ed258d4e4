import type { UndoAnswer } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { isDuplicateKey } from '../../platform/database/connection.ts';
import type { UndoPlan } from './undo-plan.ts';
import { turnUndoModel } from './turn-undo-model.ts';

interface StoredUndo {
  plan: UndoPlan;
  answer: UndoAnswer | undefined;
}

/** Which turns of an organization are undone. A plan is kept before it is carried out, so that a retry ends the same. */
export interface TurnUndoRepository {
  get(turnId: string): Promise<StoredUndo | undefined>;
  /** The plan that holds: of two at once the first. */
  begin(turnId: string, documentId: string | undefined, plan: UndoPlan): Promise<UndoPlan>;
  /** Forgets a plan that was not carried out. */
  drop(turnId: string): Promise<void>;
  /** The answer that holds: of two at once the first. How the things stood before is kept no longer. */
  finish(turnId: string, plan: UndoPlan, answer: UndoAnswer): Promise<UndoAnswer>;
  /** Answers hold content of the document. */
  forgetDocument(documentId: string): Promise<void>;
}

export function createTurnUndoRepositories(connection: Connection): (organizationId: string) => TurnUndoRepository {
  const model = turnUndoModel(connection);
  return (organizationId) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const one = (turnId: string) => ({ _id: new mongoose.Types.ObjectId(turnId), organization_id });

    async function get(turnId: string): Promise<StoredUndo | undefined> {
      const found = await model.findOne(one(turnId)).lean();
      if (found === null) return undefined;
      const plan: UndoPlan = JSON.parse(found.plan);
      const answer: UndoAnswer | undefined = found.answer === null ? undefined : JSON.parse(found.answer);
      return { plan, answer };
    }

    return {
      get,
      async begin(turnId, documentId, plan) {
        try {
          const document_id = documentId === undefined ? {} : { document_id: new mongoose.Types.ObjectId(documentId) };
          await model.create({ ...one(turnId), ...document_id, plan: JSON.stringify(plan), at: new Date() });
          return plan;
        } catch (error) {
          if (!isDuplicateKey(error)) throw error;
          return (await get(turnId))?.plan ?? plan;
        }
      },
      async drop(turnId) {
        await model.deleteOne({ ...one(turnId), answer: null });
      },
      async finish(turnId, { undone, steps }, answer) {
        const plan = { undone, steps: steps.map(({ record: _record, ...step }) => step) };
        const done = { plan: JSON.stringify(plan), answer: JSON.stringify(answer) };
        await model.updateOne({ ...one(turnId), answer: null }, { $set: done });
        return (await get(turnId))?.answer ?? answer;
      },
      async forgetDocument(documentId) {
        await model.deleteMany({ organization_id, document_id: new mongoose.Types.ObjectId(documentId) });
      },
    };
  };
}
