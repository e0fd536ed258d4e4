import type { WithdrawnBecause } from '@docwright/contract';
import { field, modelOf, recordSchema, type StoredRecord } from '../../../platform/records/record-model.ts';

/** The log of released and withdrawn results. Its ids make a repeated write harmless. */
export type ReleaseEventRecord = StoredRecord<typeof eventSchema>;

const eventSchema = recordSchema(
  {
    _id: field.text,
    organization_id: field.objectId,
    document_id: field.objectId,
    prompt_id: field.text,
    prompt_revid: field.text,
    type: field.oneOf<'result.released' | 'result.withdrawn'>(),
    version: field.number,
    at: field.date,
    /** The day of `at` in UTC, as in `2026-05-01`. */
    day: field.text,
    by: field.oneOf<'policy' | 'user'>().optional(),
    policy_version: field.number.optional(),
    because: field.oneOf<WithdrawnBecause>().optional(),
    /** Set until it is in the event log. Only events of removed results are stored before. */
    is_pending: field.mark.optional(),
  },
  { collection: 'release_events' },
);
eventSchema.index({ organization_id: 1, prompt_id: 1, at: 1 });
eventSchema.index({ document_id: 1 });
eventSchema.index({ is_pending: 1, at: 1 }, { sparse: true });

/** The day of a time in UTC, as in `2026-05-01`. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

export const releaseEventModel = modelOf('ReleaseEvent', eventSchema);
