import type { BudgetPeriod } from '@docwright/contract';
import mongoose, { type Connection, type Model, type Types } from 'mongoose';

/** Usage counters; they only grow. */
interface SpentCounters {
  spu: number;
  prompt_tokens: number;
  completion_tokens: number;
  /** Part of the prompt tokens; absent if no call reported any. */
  cached_tokens?: number;
  calls: number;
}

/**
 * The usage of one organization in one calendar month (UTC), with its days. The month and the day are counted in one
 * write. The budget is checked against it.
 */
interface UsageMonthRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  /** `2026-11` */
  month: string;
  spu: number;
  /** By `01` to `31`. */
  days: Record<string, SpentCounters>;
}

/** The usage of one model by one user on one day, in one thread and on one document, if any. */
interface UsageDetailRecord extends SpentCounters {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  /** `2026-11-21` */
  day: string;
  model: string;
  user_id: string;
  thread_id: string | null;
  document_id: string | null;
  /** The number of estimated calls. */
  estimated_calls: number;
}

interface BudgetRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  spu_limit: number | null;
  period: BudgetPeriod;
  updated_at: Date;
  updated_by: string;
}

const organization_id = { type: mongoose.Schema.Types.ObjectId, required: true };
const options = { versionKey: false, autoIndex: false } as const;
const count = { type: Number, default: 0 };
const text = { type: String, default: null };

const monthSchema = new mongoose.Schema<UsageMonthRecord>(
  {
    organization_id,
    month: { type: String, required: true },
    spu: count,
    days: { type: mongoose.Schema.Types.Mixed },
  },
  { ...options, collection: 'usage_months' },
);
monthSchema.index({ organization_id: 1, month: 1 }, { unique: true });

const detailSchema = new mongoose.Schema<UsageDetailRecord>(
  {
    organization_id,
    day: { type: String, required: true },
    model: { type: String, required: true },
    user_id: { type: String, required: true },
    thread_id: text,
    document_id: text,
    spu: count,
    prompt_tokens: count,
    completion_tokens: count,
    cached_tokens: { type: Number },
    calls: count,
    estimated_calls: count,
  },
  { ...options, collection: 'usage_details' },
);
detailSchema.index(
  { organization_id: 1, day: 1, model: 1, user_id: 1, thread_id: 1, document_id: 1 },
  { unique: true },
);

const budgetSchema = new mongoose.Schema<BudgetRecord>(
  {
    organization_id,
    spu_limit: { type: Number, default: null },
    period: { type: String, required: true },
    updated_at: { type: Date, required: true },
    updated_by: { type: String, required: true },
  },
  { ...options, collection: 'budgets' },
);
budgetSchema.index({ organization_id: 1 }, { unique: true });

export const usageMonthModel = (connection: Connection): Model<UsageMonthRecord> =>
  connection.models['UsageMonth'] ?? connection.model<UsageMonthRecord>('UsageMonth', monthSchema);
export const usageDetailModel = (connection: Connection): Model<UsageDetailRecord> =>
  connection.models['UsageDetail'] ?? connection.model<UsageDetailRecord>('UsageDetail', detailSchema);
export const budgetModel = (connection: Connection): Model<BudgetRecord> =>
  connection.models['Budget'] ?? connection.model<BudgetRecord>('Budget', budgetSchema);
