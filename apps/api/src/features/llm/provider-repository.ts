import type { RefusedPart } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { isDuplicateKey } from '../../platform/database/connection.ts';
import { readTogether } from '../../platform/database/joint-reads.ts';
import { defaultProviderName, providerModel, type ProviderRecord } from './provider-model.ts';

export type StoredProvider = Omit<ProviderRecord, '_id' | 'organization_id' | 'updated_at' | 'updated_by'>;

/** The providers of one organization. */
export type ProviderRepository = ReturnType<ReturnType<typeof createProviderRepositories>>;

/** Refusals kept for a provider; the oldest are forgotten first, and learned again when needed. */
const maxRefusals = 500;

const stored = { _id: 0, organization_id: 0, updated_at: 0, updated_by: 0 } as const;

export function createProviderRepositories(connection: Connection) {
  const model = providerModel(connection);
  return (organizationId: string) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    return {
      /** By name. */
      async list(): Promise<StoredProvider[]> {
        return await readTogether(model, { organization_id }, { projection: stored, sort: { name: 1 } });
      },
      async get(name: string): Promise<StoredProvider | undefined> {
        return (await readTogether(model, { organization_id, name }, { projection: stored, limit: 1 }))[0];
      },
      /** Replaces `before` (undefined: no record) by `next`; false after a concurrent change. */
      async replace(before: StoredProvider | undefined, next: StoredProvider, updated_by: string): Promise<boolean> {
        // Refusals are learned meanwhile: they are written only where they were changed.
        const { dialect, ...fields } = next;
        const changed = dialect === undefined || dialect === before?.dialect ? {} : { dialect };
        const record = {
          ...fields,
          ...changed,
          version: (before?.version ?? 0) + 1,
          updated_at: new Date(),
          updated_by,
        };
        if (before) {
          const { version, name } = before;
          const { matchedCount } = await model.updateOne({ organization_id, name, version }, { $set: record });
          return matchedCount === 1;
        }
        try {
          await model.create({ organization_id, ...record });
          return true;
        } catch (error) {
          if (isDuplicateKey(error)) return false;
          throw error;
        }
      },
      /** Adds what its endpoint refused. The configured endpoint gets a record for it. */
      async addRefusals(name: string, refused: readonly RefusedPart[]): Promise<void> {
        const known = await model.exists({ organization_id, name });
        if (known === null && name === defaultProviderName) {
          await this.replace(undefined, blankProvider(name), 'system');
        }
        for (const entry of refused) {
          const { model: of, refused: part } = entry;
          if (await model.exists({ organization_id, name, dialect: { $elemMatch: { model: of, refused: part } } }))
            continue;
          const push = { $push: { dialect: { $each: [entry], $slice: -maxRefusals } } };
          await model.updateOne({ organization_id, name }, push);
        }
      },
      /** False if it was changed or removed meanwhile. */
      async remove({ name, version }: StoredProvider): Promise<boolean> {
        return (await model.deleteOne({ organization_id, name, version })).deletedCount === 1;
      },
    };
  };
}

/** A provider before its first change. */
export function blankProvider(name: string): StoredProvider {
  return {
    name,
    display_name: null,
    kind: null,
    base_url: null,
    sealed_token: null,
    enabled: true,
    litellm_models_available: [],
    models_not_for_chat: [],
    litellm_models_enabled: null,
    litellm_models_chat_agent: null,
    litellm_models_vision: null,
    version: 0,
  };
}
