import { Types, type Connection } from 'mongoose';
import { createKindRepository } from '../../features/auto-create/kinds/kind-repository.ts';
import { documentWords } from '../../features/auto-create/kinds/kind-words.ts';
import { documentModel } from '../../features/documents/records/document-model.ts';
import { pageModel } from '../../features/documents/records/page-model.ts';
import { revisionModels } from '../../features/revisions/revision-model.ts';
import { ofReadable, type OnUnreadable } from './readable-records.ts';

const batchSize = 500;

/**
 * Migrates proposals from before kinds: groups them by prompt so that later documents are compared with them, and
 * accepts the schemas of accepted prompts.
 */
export async function groupOlderProposals(
  connection: Connection,
  onUnreadable: OnUnreadable = () => undefined,
): Promise<void> {
  await acceptSchemas(connection, onUnreadable);
  const documents = documentModel(connection);
  const { artifacts, revisions } = revisionModels(connection, 'prompt');
  const older = { 'auto_create.prompt_revid': { $exists: true }, 'auto_create.prompt_id': { $exists: false } };
  const kinds = createKindRepository(connection);
  const fields = { auto_create: 1, organization_id: 1 };
  const after = (last: object) =>
    documents
      .find({ ...older, ...last }, fields)
      .sort({ _id: 1 })
      .limit(batchSize)
      .lean();
  for (let batch = await after({}); batch.length > 0; batch = await after({ _id: { $gt: batch.at(-1)?._id } })) {
    await ofReadable({ collection: 'documents', onUnreadable }, batch, async (record) => {
      const { _id, organization_id, auto_create } = record;
      const { prompt_revid, run_id, status } = auto_create!;
      const revision = await revisions
        .findOne({ _id: new Types.ObjectId(prompt_revid), organization_id }, { artifact_id: 1 })
        .lean();
      const prompt = revision && (await artifacts.findById(revision.artifact_id, { review: 1 }).lean());
      if (!prompt) return;
      const [organizationId, promptId, id] = [organization_id, prompt._id, _id].map((objectId) =>
        objectId.toHexString(),
      ) as [string, string, string];
      if (status === 'proposed' && prompt.review === 'pending') {
        const pages = await pageModel(connection).find({ document_id: _id }, { text: 1 }).sort({ page_num: 1 }).lean();
        const words = documentWords(pages.map(({ text }) => text).join('\n'));
        await kinds.addDocument(organizationId, promptId, { id, words, creatorRunId: run_id });
      }
      await documents.updateOne({ _id, ...older }, { $set: { 'auto_create.prompt_id': promptId } });
    });
  }
}

async function acceptSchemas(connection: Connection, onUnreadable: OnUnreadable): Promise<void> {
  const schemas = revisionModels(connection, 'schema').artifacts;
  const prompts = revisionModels(connection, 'prompt').artifacts;
  const pending = await schemas.find({ review: 'pending', deleted_at: null }, { organization_id: 1 }).lean();
  await ofReadable({ collection: 'schemas', onUnreadable }, pending, async ({ _id, organization_id }) => {
    const referrer = { organization_id, deleted_at: null, 'facets.schema_id': _id.toHexString() };
    if (await prompts.exists({ ...referrer, review: { $ne: 'pending' } })) {
      await schemas.updateOne({ _id }, { $set: { review: null } });
    }
  });
}
