import type { ReviewPolicy } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { objectIdOf } from '../../platform/database/object-id.ts';
import { revisionModels } from '../revisions/index.ts';
import type { ReviewRules } from './reviewed-values.ts';
import { createRiskModels } from './risk-model-repository.ts';

/** Reads the review rules of prompts in one organization. */
export type ReviewReader = ReturnType<ReturnType<typeof createReviewReaders>>;

export function createReviewReaders(connection: Connection) {
  const { artifacts } = revisionModels(connection, 'prompt');
  const modelsOf = createRiskModels(connection);
  return (organizationId: string) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    return {
      async rules(promptId: string): Promise<ReviewRules> {
        const _id = objectIdOf(promptId);
        const [learned, prompt] = await Promise.all([
          modelsOf(organizationId).get(promptId),
          _id && artifacts.findOne({ _id, organization_id }, { settings: 1 }).lean(),
        ]);
        return { ...learned, policy: (prompt?.settings?.['review_policy'] as ReviewPolicy | null | undefined) ?? null };
      },
    };
  };
}
