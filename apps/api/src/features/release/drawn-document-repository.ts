import mongoose, { type Connection } from 'mongoose';
import { evidenceModel, policyModel } from './policies/policy-model.ts';

/** The documents that the policies of an organization have drawn and that no user has audited, as `document prompt`. */
export type DrawnDocuments = (organizationId: string) => Promise<ReadonlySet<string>>;

export function createDrawnDocuments(connection: Connection): DrawnDocuments {
  const policies = policyModel(connection);
  const evidence = evidenceModel(connection);
  return async (organizationId) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const prompts = await policies.distinct('prompt_id', { organization_id, policy: { $ne: null } });
    if (prompts.length === 0) return new Set();
    const drawn = await evidence.collection
      .find(
        { organization_id, is_drawn: true, audited_at: null, prompt_id: { $in: prompts } },
        { projection: { document_id: 1, prompt_id: 1 }, batchSize: 10_000 },
      )
      .toArray();
    return new Set(drawn.map(({ document_id, prompt_id }) => `${String(document_id)} ${String(prompt_id)}`));
  };
}
