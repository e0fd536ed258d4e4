import mongoose, { type Connection } from 'mongoose';
import { readTogether } from '../../../platform/database/joint-reads.ts';
import { objectIdsOf } from '../../../platform/database/object-id.ts';
import type { Actor } from '../../identity/index.ts';
import { pendingCallModel, pendingFor } from '../../turns/index.ts';
import type { StageFacts } from '../stages/document-stage.ts';
import { createKeptStages } from './kept-stage-repository.ts';

/** The documents with calls that wait for a decision of one user. */
export type WaitingCalls = ReturnType<ReturnType<typeof createWaitingCalls>>;

const documentOnly = { projection: { _id: 0, document_id: 1 } };

export function createWaitingCalls(connection: Connection) {
  const calls = pendingCallModel(connection);
  const areKept = createKeptStages(connection);
  return ({ organizationId, userId, role }: Actor) => {
    const pending = () => ({
      organization_id: new mongoose.Types.ObjectId(organizationId),
      ...pendingFor({ userId, isAdmin: role === 'admin' }),
    });
    return {
      /** What selects the documents of a stage. */
      async stageFacts(): Promise<StageFacts> {
        const [found, isKept] = await Promise.all([
          readTogether(calls, pending(), documentOnly),
          areKept(organizationId),
        ]);
        return { waiting: [...new Set(found.map(({ document_id }) => document_id.toHexString()))], areKept: isKept };
      },
      /** The number of calls by document id. */
      async counts(documentIds: readonly string[]): Promise<Map<string, number>> {
        const among = { ...pending(), document_id: { $in: objectIdsOf(documentIds) } };
        const counted = new Map<string, number>();
        for (const { document_id } of await readTogether(calls, among, documentOnly)) {
          const id = document_id.toHexString();
          counted.set(id, (counted.get(id) ?? 0) + 1);
        }
        return counted;
      },
    };
  };
}
