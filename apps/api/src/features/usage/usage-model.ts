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

/** What calls with a known price cost, by currency: an operator can change it. */
interface Costs {
  /** Millionths of the currency's unit. */
  costs?: Record<string, number>;
  /** How many calls had a price; the others, and all from before there were prices, had none. */
  priced?: Record<string, number>;
}

/**
 * The usage of one organization in one calendar month (UTC), with its days. The month and the day are counted in one
 * write. The budget is checked against it.
 */
interface UsageMonthRecord extends Costs {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  /** `2026-11` */
  month: string;
  spu: number;
  /** By `01` to `31`. */
  days: Record<string, SpentCounters & Costs>;
}

/** What usage is summed by, beside days. */
const usageKinds = ['model', 'thread', 'user', 'prompt', 'document', 'run'] as const;
export type UsageKind = (typeof usageKinds)[number];

/** The usage of one model, thread, user, prompt, document or run in one month, or of all time. */
export interface UsageSumRecord extends SpentCounters, Costs {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  /** `2026-11`, or `all`. */
  period: string;
  kind: UsageKind;
  /** The model's name, or an id. */
  key: string;
  /** Of a thread: the user of its first call. */
  user_id?: string;
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
  /** Absent in older records. */
  cost_limit_micros?: number | null;
  /** Of the limit in money. */
  currency?: string;
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
    costs: { type: mongoose.Schema.Types.Mixed },
    priced: { type: mongoose.Schema.Types.Mixed },
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

const sumSchema = new mongoose.Schema<UsageSumRecord>(
  {
    organization_id,
    period: { type: String, required: true },
    kind: { type: String, required: true },
    key: { type: String, required: true },
    user_id: { type: String },
    spu: count,
    prompt_tokens: count,
    completion_tokens: count,
    cached_tokens: { type: Number },
    calls: count,
    costs: { type: mongoose.Schema.Types.Mixed },
    priced: { type: mongoose.Schema.Types.Mixed },
  },
  { ...options, collection: 'usage_sums' },
);
sumSchema.index({ organization_id: 1, period: 1, kind: 1, key: 1 }, { unique: true });
sumSchema.index({ organization_id: 1, period: 1, kind: 1, spu: -1, key: 1 });
sumSchema.index({ organization_id: 1, period: 1, kind: 1, user_id: 1, spu: -1, key: 1 });

const budgetSchema = new mongoose.Schema<BudgetRecord>(
  {
    organization_id,
    spu_limit: { type: Number, default: null },
    cost_limit_micros: { type: Number },
    currency: { type: String },
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
export const usageSumModel = (connection: Connection): Model<UsageSumRecord> =>
  connection.models['UsageSum'] ?? connection.model<UsageSumRecord>('UsageSum', sumSchema);
export const budgetModel = (connection: Connection): Model<BudgetRecord> =>
  connection.models['Budget'] ?? connection.model<BudgetRecord>('Budget', budgetSchema);
