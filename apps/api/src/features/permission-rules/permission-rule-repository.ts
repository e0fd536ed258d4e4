import type { PermissionCondition, PermissionRule, PermissionScope } from '@docwright/contract';
import mongoose, { type Connection, type QueryFilter } from 'mongoose';
import { readPage, type PageSelection } from '../../platform/database/page.ts';
import { readTogether } from '../../platform/database/joint-reads.ts';
import { objectIdsOf } from '../../platform/database/object-id.ts';
import { permissionRuleModel, type PermissionRuleRecord } from './permission-rule-model.ts';
import { presentEach } from '../../platform/records/unreadable-records.ts';

type NewPermissionRule = Omit<PermissionRule, 'id' | 'created_at' | 'created_by'>;

/** The rules that concern a user of an organization: the organization's and the user's own. */
type PermissionRuleRepository = ReturnType<typeof repositoryOf>;

export type PermissionRuleRepositories = (owner: {
  organizationId: string;
  userId: string;
}) => PermissionRuleRepository;

export function createPermissionRuleRepositories(connection: Connection): PermissionRuleRepositories {
  const model = permissionRuleModel(connection);
  return ({ organizationId, userId }) =>
    repositoryOf(model, new mongoose.Types.ObjectId(organizationId), new mongoose.Types.ObjectId(userId));
}

function repositoryOf(
  model: ReturnType<typeof permissionRuleModel>,
  organization_id: mongoose.Types.ObjectId,
  user_id: mongoose.Types.ObjectId,
) {
  const ofOrganization = { organization_id, scope: 'organization' } as const;
  const ofUser = { organization_id, user_id, scope: { $in: ['thread', 'document'] as PermissionScope[] } };
  const visible: QueryFilter<PermissionRuleRecord> = { $or: [ofOrganization, ofUser] };
  const one = (id: string): QueryFilter<PermissionRuleRecord> => ({ ...visible, _id: { $in: objectIdsOf([id]) } });

  async function create(rule: NewPermissionRule): Promise<PermissionRule> {
    const created = await model.create({
      ...targetOf(rule),
      organization_id,
      user_id,
      ...(rule.when === undefined ? {} : { when: JSON.stringify(rule.when) }),
      created_at: new Date(),
    });
    return present(created.toObject());
  }

  return {
    create,
    /** Newest first. */
    async list(page: PageSelection) {
      const { records, end } = await readPage(model, visible, { ...page, sort: { _id: -1 } });
      return { permission_rules: presentEach(records, present), ...end };
    },
    /** The rules that might apply to a call in the thread. */
    async applicableIn(threadId: string) {
      const ofDocuments = { organization_id, user_id, scope: 'document' as const };
      const ofThread = {
        organization_id,
        user_id,
        scope: 'thread' as const,
        thread_id: { $in: objectIdsOf([threadId]) },
      };
      const records = await readTogether(model, { $or: [ofOrganization, ofDocuments, ofThread] }, { sort: { _id: 1 } });
      return records.map(present);
    },
    async get(id: string) {
      const found = await model.findOne(one(id)).lean();
      return found ? present(found) : undefined;
    },
    /** The number of rules of the organization, or of this user. */
    async count(scope: PermissionScope) {
      return await model.countDocuments(scope === 'organization' ? ofOrganization : ofUser);
    },
    /** Returns the existing rule, or creates it. */
    async findOrCreate(rule: Omit<NewPermissionRule, 'when'>) {
      const owner = rule.scope === 'organization' ? { organization_id } : { organization_id, user_id };
      const found = await model.findOne({ ...owner, ...targetOf(rule), when: { $exists: false } }).lean();
      return found ? present(found) : await create(rule);
    },
    async remove(id: string) {
      const { deletedCount } = await model.deleteOne(one(id));
      return deletedCount === 1;
    },
    /** Removes the rules of a deleted thread. */
    async removeOfThread(threadId: string) {
      await model.deleteMany({ ...ofUser, thread_id: { $in: objectIdsOf([threadId]) } });
    },
  };
}

function targetOf({ tool, effect, scope, thread_id, document_id }: Omit<NewPermissionRule, 'when'>) {
  return {
    tool,
    effect,
    scope,
    ...(thread_id === undefined ? {} : { thread_id: new mongoose.Types.ObjectId(thread_id) }),
    ...(document_id === undefined ? {} : { document_id: new mongoose.Types.ObjectId(document_id) }),
  };
}

function present(record: PermissionRuleRecord): PermissionRule {
  const { _id, tool, when, effect, scope, thread_id, document_id, created_at, user_id } = record;
  return {
    id: _id.toHexString(),
    tool,
    ...(when === undefined ? {} : { when: JSON.parse(when) as PermissionCondition }),
    effect,
    scope,
    ...(thread_id === undefined ? {} : { thread_id: thread_id.toHexString() }),
    ...(document_id === undefined ? {} : { document_id: document_id.toHexString() }),
    created_at: created_at.toISOString(),
    created_by: user_id.toHexString(),
  };
}
