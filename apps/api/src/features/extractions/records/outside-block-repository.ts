import type { ReleaseReason } from '@docwright/contract';
import type { Connection } from 'mongoose';
import { objectIdOf } from '../../../platform/database/object-id.ts';
import { documentModel } from '../../documents/index.ts';
import { revisionModels } from '../../revisions/index.ts';
import { pendingCallModel } from '../../turns/index.ts';
import type { ExtractionRecord } from './extraction-model.ts';
import { releaseReason } from './release-record.ts';

/**
 * The reasons that block the release of a result and are not stored with it: its document is a duplicate that was not
 * read, its prompt is a proposal that was not accepted, or an unattended run on its document waits for a decision. A
 * policy does not release results of a replaced document either.
 */
export type OutsideBlocks = (
  of: Pick<ExtractionRecord, 'organization_id' | 'document_id' | 'prompt_id'>,
) => Promise<ReleaseReason[]>;

export function createOutsideBlocks(connection: Connection): OutsideBlocks {
  const documents = documentModel(connection);
  const calls = pendingCallModel(connection);
  const { artifacts: prompts } = revisionModels(connection, 'prompt');
  return async ({ organization_id, document_id, prompt_id }) => {
    const now = new Date();
    const waiting = { organization_id, document_id, is_unattended: true, decision: null, expires_at: { $gt: now } };
    const [document, proposal, call] = await Promise.all([
      documents.findOne({ _id: document_id, organization_id }, { duplicate_of: 1, replaced_by: 1 }).lean(),
      prompts.exists({ _id: objectIdOf(prompt_id) ?? null, organization_id, review: 'pending' }),
      calls.exists(waiting),
    ]);
    return [
      ...(document?.duplicate_of ? [releaseReason('duplicate')] : []),
      ...(proposal === null && call === null ? [] : [releaseReason('waiting_approval')]),
      ...(document?.replaced_by ? [releaseReason('replaced')] : []),
    ];
  };
}
