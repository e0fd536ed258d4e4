import type { UndoAnswer } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { isDuplicateKey } from '../../platform/database/connection.ts';
import type { UndoPlan } from './undo-plan.ts';
import { turnUndoModel } from './turn-undo-model.ts';

interface StoredUndo {
  plan: UndoPlan;
  answer: UndoAnswer | undefined;
}

/** The undos of one organization. A plan is stored before it is carried out, so that a retry has the same result. */
export type TurnUndoRepository = ReturnType<ReturnType<typeof createTurnUndoRepositories>>;

export function createTurnUndoRepositories(connection: Connection) {
  const model = turnUndoModel(connection);
  return (organizationId: string) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const byId = (undoId: string) => ({ _id: new mongoose.Types.ObjectId(undoId), organization_id });

    async function get(undoId: string): Promise<StoredUndo | undefined> {
      const found = await model.findOne(byId(undoId)).lean();
      if (found === null) return undefined;
      return { plan: JSON.parse(found.plan), answer: found.answer === null ? undefined : JSON.parse(found.answer) };
    }

    return {
      get,
      /** Stores a plan and returns it; the first of several concurrent plans wins and is returned to all. */
      async start(undoId: string, documentId: string | undefined, plan: UndoPlan): Promise<UndoPlan> {
        try {
          const document_id = documentId === undefined ? {} : { document_id: new mongoose.Types.ObjectId(documentId) };
          await model.create({ ...byId(undoId), ...document_id, plan: JSON.stringify(plan), at: new Date() });
          return plan;
        } catch (error) {
          if (!isDuplicateKey(error)) throw error;
          return (await get(undoId))?.plan ?? plan;
        }
      },
      /** Removes a plan that was not carried out. */
      async drop(undoId: string): Promise<void> {
        await model.deleteOne({ ...byId(undoId), answer: null });
      },
      /** Stores the answer and returns it; the first one wins. Removes the records from the plan: no retry needs them. */
      async finish(undoId: string, { undone, steps }: UndoPlan, answer: UndoAnswer): Promise<UndoAnswer> {
        const plan = { undone, steps: steps.map(({ record: _record, ...step }) => step) };
        const finished = { plan: JSON.stringify(plan), answer: JSON.stringify(answer) };
        await model.updateOne({ ...byId(undoId), answer: null }, { $set: finished });
        return (await get(undoId))?.answer ?? answer;
      },
      /** Removes the undos that contain content of the document. */
      async forgetDocument(documentId: string): Promise<void> {
        await model.deleteMany({ organization_id, document_id: new mongoose.Types.ObjectId(documentId) });
      },
    };
  };
}
