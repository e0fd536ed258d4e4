import type { WithdrawnBecause } from '@docwright/contract';
import mongoose, { type Connection, type Model, type Types } from 'mongoose';

/** The log of released and withdrawn results. Its ids make a repeated write harmless. */
export interface ReleaseEventRecord {
  _id: string;
  organization_id: Types.ObjectId;
  document_id: Types.ObjectId;
  prompt_id: string;
  prompt_revid: string;
  type: 'result.released' | 'result.withdrawn';
  version: number;
  at: Date;
  /** The day of `at` in UTC, as in `2026-05-01`. */
  day: string;
  by?: 'policy' | 'user';
  policy_version?: number;
  because?: WithdrawnBecause;
  /** Set until it is in the event log. Only events of removed results are stored before. */
  is_pending?: true;
}

const objectId = { type: mongoose.Schema.Types.ObjectId, required: true } as const;
const text = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;
const date = { type: Date, required: true } as const;

const eventSchema = new mongoose.Schema<ReleaseEventRecord>(
  {
    _id: text,
    organization_id: objectId,
    document_id: objectId,
    prompt_id: text,
    prompt_revid: text,
    type: text,
    version: number,
    at: date,
    day: text,
    by: { type: String },
    policy_version: { type: Number },
    because: { type: String },
    is_pending: { type: Boolean },
  },
  { collection: 'release_events', versionKey: false, autoIndex: false },
);
eventSchema.index({ organization_id: 1, prompt_id: 1, at: 1 });
eventSchema.index({ document_id: 1 });
eventSchema.index({ is_pending: 1, at: 1 }, { sparse: true });

/** The day of a time in UTC, as in `2026-05-01`. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

export function releaseEventModel(connection: Connection): Model<ReleaseEventRecord> {
  return connection.models['ReleaseEvent'] ?? connection.model<ReleaseEventRecord>('ReleaseEvent', eventSchema);
}
