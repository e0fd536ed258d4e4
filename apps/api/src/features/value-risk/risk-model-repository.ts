import type { Calibration } from '@docwright/contract';
import { defaultModel, type FieldProfile, type RiskModel } from '@docwright/review';
import mongoose, { type Connection, type Model, type Types } from 'mongoose';
import { createLeases } from '../../platform/leases/leases.ts';

/** What one organization's verified values of one prompt have taught. */
interface RiskModelRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  prompt_id: string;
  /** JSON text, since names of fields may be any: the weights, and the profiles of the fields. */
  model: string | null;
  profiles: string | null;
  calibration: Calibration;
  fitted_at: Date | null;
  /** Counts new verified values; what was fitted is told by `fitted`. */
  wanted: number;
  fitted: number;
  wanted_at: Date;
  lease?: { token?: string; until?: Date };
}

const schema = new mongoose.Schema<RiskModelRecord>(
  {
    organization_id: { type: mongoose.Schema.Types.ObjectId, required: true },
    prompt_id: { type: String, required: true },
    model: { type: String, default: null },
    profiles: { type: String, default: null },
    calibration: { type: mongoose.Schema.Types.Mixed, default: null },
    fitted_at: { type: Date, default: null },
    wanted: { type: Number, default: 0 },
    fitted: { type: Number, default: 0 },
    wanted_at: { type: Date },
    lease: { type: mongoose.Schema.Types.Mixed },
  },
  { collection: 'risk_models', versionKey: false, minimize: false, autoIndex: false },
);
schema.index({ organization_id: 1, prompt_id: 1 }, { unique: true });
schema.index({ wanted_at: 1 });

function riskModelModel(connection: Connection): Model<RiskModelRecord> {
  return connection.models['RiskModel'] ?? connection.model<RiskModelRecord>('RiskModel', schema);
}

export interface LearnedRisk {
  model: RiskModel;
  profiles: Map<string, FieldProfile>;
  calibration: Calibration;
}

/** What is known about the risk of a prompt's values in one organization. */
export interface RiskModelRepository {
  /** The defaults where nothing was learned yet. */
  get(promptId: string): Promise<LearnedRisk>;
  /** Asks for another fit, since there are new verified values. */
  want(promptId: string): Promise<void>;
}

export function createRiskModels(connection: Connection): (organizationId: string) => RiskModelRepository {
  const models = riskModelModel(connection);
  return (organizationId) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    return {
      async get(promptId) {
        const record = await models.findOne({ organization_id, prompt_id: promptId }).lean();
        return {
          model: record?.model ? (JSON.parse(record.model) as RiskModel) : defaultModel,
          profiles: new Map(record?.profiles ? (JSON.parse(record.profiles) as [string, FieldProfile][]) : []),
          calibration: record?.calibration ?? null,
        };
      },
      async want(promptId) {
        await models.updateOne(
          { organization_id, prompt_id: promptId },
          {
            $inc: { wanted: 1 },
            $set: { wanted_at: new Date() },
            $setOnInsert: { model: null, profiles: null, calibration: null, fitted_at: null, fitted: 0 },
          },
          { upsert: true },
        );
      },
    };
  };
}

/** A fit that one process makes. */
export interface FitClaim {
  organizationId: string;
  promptId: string;
  /** False where another process has taken over. */
  renew(): Promise<boolean>;
  /** Stores what was learned; false where another process has taken over. */
  store(learned: LearnedRisk): Promise<boolean>;
}

const leaseMs = 60_000;

/** Claims one prompt with verified values that were not fitted yet, and that was not fitted within `restMs`. */
export function createFitQueue(connection: Connection): { claim(restMs: number): Promise<FitClaim | undefined> } {
  const { collection } = riskModelModel(connection);
  const leases = createLeases<RiskModelRecord>(collection, { token: 'lease.token', until: 'lease.until' });
  return {
    async claim(restMs) {
      const due = {
        wanted_at: { $ne: null },
        $or: [{ fitted_at: null }, { fitted_at: { $lt: new Date(Date.now() - restMs) } }],
      };
      const claim = await leases.claim(due, { milliseconds: leaseMs, sort: { wanted_at: 1 } });
      if (claim === undefined) return undefined;
      const { _id, organization_id, prompt_id, wanted } = claim.record;
      return {
        organizationId: organization_id.toHexString(),
        promptId: prompt_id,
        renew: async () => (await leases.renew({ _id }, claim.token, leaseMs)) !== undefined,
        async store({ model, profiles, calibration }) {
          const learned = {
            model: JSON.stringify(model),
            profiles: JSON.stringify([...profiles]),
            calibration,
            fitted_at: new Date(),
            fitted: wanted,
          };
          const isStored = await leases.release({ _id }, claim.token, { $set: learned });
          // Values that were verified meanwhile are fitted next time.
          await collection.updateOne({ _id, wanted }, { $set: { wanted_at: null } });
          return isStored;
        },
      };
    },
  };
}
