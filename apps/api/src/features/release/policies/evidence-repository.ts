import mongoose, { type Connection } from 'mongoose';
import { dayOf } from '../../extractions/index.ts';
import { evidenceModel, type EvidenceRecord } from './policy-model.ts';

type Key = { promptId: string; documentId: string };
type NewEvidence = Omit<EvidenceRecord, '_id' | 'organization_id' | 'prompt_id' | 'document_id'>;

/** The evidence of one organization. */
export type EvidenceRepository = ReturnType<ReturnType<typeof createEvidenceRepositories>>;

export function createEvidenceRepositories(connection: Connection) {
  const model = evidenceModel(connection);
  return (organizationId: string) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const one = ({ promptId, documentId }: Key) => ({
      organization_id,
      prompt_id: promptId,
      document_id: new mongoose.Types.ObjectId(documentId),
    });
    return {
      async get(key: Key): Promise<EvidenceRecord | undefined> {
        return (await model.findOne(one(key)).lean()) ?? undefined;
      },
      /** Replaces the evidence of an earlier extraction. */
      async put(key: Key, evidence: NewEvidence): Promise<void> {
        await model.replaceOne(one(key), { ...one(key), ...evidence }, { upsert: true });
      },
      /** Notes the audit of a drawn document, or what it found since. Returns whether anything changed. */
      async audit(key: Key, wrongValues: number): Promise<boolean> {
        const found = await model.findOne(one(key)).lean();
        if (found === null || !found.is_drawn || found.wrong_values === wrongValues) return false;
        const previous = await model
          .findOne({ organization_id, prompt_id: key.promptId, audited_at: { $gt: new Date(0) } }, { audited_at: 1 })
          .sort({ audited_at: -1 })
          .lean();
        const now = new Date();
        const first = found.audited_at === undefined && {
          audited_at: now,
          audited_day: dayOf(now),
          ...(previous?.audited_at && { seconds: (now.getTime() - previous.audited_at.getTime()) / 1000 }),
        };
        const { modifiedCount } = await model.updateOne(one(key), { $set: { wrong_values: wrongValues, ...first } });
        return modifiedCount === 1;
      },
      /** How many documents since `since`, and how many of them a threshold releases. */
      async share(promptId: string, since: Date, threshold: number): Promise<{ documents: number; below: number }> {
        const filter = { organization_id, prompt_id: promptId, at: { $gte: since } };
        const [documents, below] = await Promise.all([
          model.countDocuments(filter),
          model.countDocuments({ ...filter, is_blocked: false, risk: { $lte: threshold } }),
        ]);
        return { documents, below };
      },
      /**
       * Removes what is known of a document. Its audits stay, under an id that leads nowhere: without them, who removes the
       * documents that were found wrong would prove the rest right.
       */
      async remove(documentId: string): Promise<void> {
        const own = { organization_id, document_id: new mongoose.Types.ObjectId(documentId) };
        const document_id = new mongoose.Types.ObjectId();
        await model.updateMany({ ...own, audited_at: { $gt: new Date(0) } }, { $set: { document_id } });
        await model.deleteMany(own);
      },
    };
  };
}
