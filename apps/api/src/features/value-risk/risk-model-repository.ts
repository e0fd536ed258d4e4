import type { Calibration } from '@docwright/contract';
import { defaultModel, type FieldProfile, type RiskModel } from '@docwright/review';
import mongoose, { type Connection } from 'mongoose';
import { field, modelOf, recordSchema, type StoredRecord } from '../../platform/records/record-model.ts';
import { isDue } from '../../platform/database/database-clock.ts';
import { exceptIds } from '../../platform/database/object-id.ts';
import { createLeases, leaseFields, type StoredLease } from '../../platform/leases/leases.ts';

/** The risk model of one prompt, fitted to the verified values of its organization. */
type RiskModelRecord = StoredRecord<typeof schema>;

const schema = recordSchema(
  {
    organization_id: field.objectId,
    prompt_id: field.text,
    /** The weights, as JSON text. */
    model: field.text.orNull(),
    /** The profiles of the fields, as JSON text: names of fields are arbitrary. */
    profiles: field.text.orNull(),
    calibration: field.mixed<Calibration>().orNull(),
    fitted_at: field.date.orNull(),
    /** Counts requests for a fit; `fitted` is the count at the last fit. */
    wanted: field.number.default(0),
    fitted: field.number.default(0),
    wanted_at: field.date.unchecked(),
    lease: field.mixed<StoredLease>().optional(),
  },
  { collection: 'risk_models', keepsEmptyObjects: true },
);
schema.index({ organization_id: 1, prompt_id: 1 }, { unique: true });
schema.index({ wanted_at: 1 });

const riskModelModel = modelOf('RiskModel', schema);

export interface LearnedRisk {
  model: RiskModel;
  profiles: Map<string, FieldProfile>;
  calibration: Calibration;
}

/** The risk models of one organization. */
export type RiskModelRepository = ReturnType<ReturnType<typeof createRiskModels>>;

export function createRiskModels(connection: Connection) {
  const models = riskModelModel(connection);
  return (organizationId: string) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    return {
      /** The fitted model, or the default one. */
      async get(promptId: string): Promise<LearnedRisk> {
        const record = await models.findOne({ organization_id, prompt_id: promptId }).lean();
        return {
          model: record?.model ? (JSON.parse(record.model) as RiskModel) : defaultModel,
          profiles: new Map(record?.profiles ? (JSON.parse(record.profiles) as [string, FieldProfile][]) : []),
          calibration: record?.calibration ?? null,
        };
      },
      /** Requests another fit after new verified values. */
      async requestFit(promptId: string): Promise<void> {
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

/** A fit that this process has claimed. */
export interface FitClaim {
  id: string;
  organizationId: string;
  promptId: string;
  /** False if another process has the claim. */
  renew(): Promise<boolean>;
  /** Stores the fitted model; false if another process has the claim. */
  store(learned: LearnedRisk): Promise<boolean>;
}

const leaseMs = 60_000;

/** Claims one prompt with a requested fit, and without a fit within `fitIntervalMs`. */
export function createFitQueue(connection: Connection): {
  /** One of those except these. */
  claim(fitIntervalMs: number, except?: readonly string[]): Promise<FitClaim | undefined>;
} {
  const { collection } = riskModelModel(connection);
  const leases = createLeases<RiskModelRecord>(collection, leaseFields);
  return {
    async claim(fitIntervalMs, except = []) {
      const due = {
        wanted_at: { $ne: null },
        ...exceptIds(except),
        $or: [{ fitted_at: null }, ...isDue('fitted_at', fitIntervalMs, fitIntervalMs)],
      };
      const claim = await leases.claim(due, { milliseconds: leaseMs, isRare: true, sort: { wanted_at: 1 } });
      if (claim === undefined) return undefined;
      const { _id, organization_id, prompt_id, wanted } = claim.record;
      return {
        id: String(_id),
        // A damaged one is found out by the fit, which is then set aside.
        organizationId: String(organization_id),
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
          // Values verified during this fit stay requested.
          await collection.updateOne({ _id, wanted }, { $set: { wanted_at: null } });
          return isStored;
        },
      };
    },
  };
}
