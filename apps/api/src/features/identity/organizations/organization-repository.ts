import type { OnAsk, OnDuplicate, Organization, patchOrganizationBody, Role } from '@docwright/contract';
import type { z } from 'zod';
import { Types, type Connection } from 'mongoose';
import { readTogether } from '../../../platform/database/joint-reads.ts';
import { objectIdsOf } from '../../../platform/database/object-id.ts';
import { arrivalActor } from '../rights/actor.ts';
import { defaultEvaluationSettings, organizationModel, type OrganizationRecord } from './organization-model.ts';
import { editAsSeen } from '../../../platform/records/seen-edit.ts';

export interface OrganizationMember {
  userId: string;
  role: Role;
  joinedAt: string;
}
interface OrganizationWithMembers {
  organization: Organization;
  /** Oldest first. */
  members: OrganizationMember[];
}
export type OrganizationChange = z.infer<typeof patchOrganizationBody>;
/** How an organization takes uploads that do not say it. */
export interface UploadSettings {
  /** Whether uploads that do not set `auto_create` get a proposal. */
  isDefault: boolean;
  /** What happens to a proposal's call that needs approval. */
  onAsk: OnAsk;
  /** What happens to the bytes of a document that exists. */
  onDuplicate: OnDuplicate;
}
export type OrganizationRepository = ReturnType<typeof createOrganizationRepository>;

/**
 * Every method names an organization and the calling user, or is called only after the membership check; a malformed id
 * matches nothing.
 */
export function createOrganizationRepository(connection: Connection) {
  const organizations = organizationModel(connection);
  const anotherAdmin = (userId: string) => ({ members: { $elemMatch: { role: 'admin', user_id: { $ne: userId } } } });
  return {
    async create(name: string, adminId: string): Promise<Organization> {
      const now = new Date();
      const record = await organizations.create({
        name,
        created_at: now,
        members: [{ user_id: adminId, role: 'admin', joined_at: now }],
      });
      return toOrganization(record);
    },

    async findForMember(organizationId: string, userId: string): Promise<OrganizationWithMembers | undefined> {
      const record = await organizations.findOne({ _id: organizationId, 'members.user_id': userId }).lean();
      return record === null ? undefined : toOrganizationWithMembers(record);
    },

    /** The role of a member, or of the organization itself. */
    async roleOf(organizationId: string, userId: string): Promise<Role | undefined> {
      const arrival = arrivalActor(organizationId);
      return userId === arrival.userId ? arrival.role : (await this.accessOf(organizationId, userId))?.role;
    },

    /** The role of a member, and whether the organization requires a second factor of users. */
    async accessOf(
      organizationId: string,
      userId: string,
    ): Promise<{ role: Role; requiresSecondFactor: boolean } | undefined> {
      const [id, member] = [objectIdsOf([organizationId]), objectIdsOf([userId])];
      const isMember = { $in: ['$$member.user_id', member] };
      const own = { $filter: { input: '$members', as: 'member', cond: isMember } };
      const [record] = await readTogether(
        organizations,
        { _id: { $in: id }, 'members.user_id': { $in: member } },
        { projection: { members: own, require_second_factor: 1 } },
      );
      const role = record?.members[0]?.role;
      return role && { role, requiresSecondFactor: record?.require_second_factor === true };
    },

    /** The defaults for uploads and proposals. */
    async uploadSettings(organizationId: string): Promise<UploadSettings> {
      const fields = { projection: { auto_create_default: 1, auto_create_on_ask: 1, on_duplicate: 1 } };
      const [record] = await readTogether(organizations, { _id: { $in: objectIdsOf([organizationId]) } }, fields);
      return {
        isDefault: record?.auto_create_default === true,
        onAsk: record?.auto_create_on_ask ?? 'deny',
        onDuplicate: record?.on_duplicate ?? 'mark',
      };
    },

    /** Time zone and language, where they are set. */
    async localeOf(organizationId: string): Promise<{ timeZone?: string; language?: string }> {
      const fields = { projection: { time_zone: 1, language: 1 } };
      const [record] = await readTogether(organizations, { _id: { $in: objectIdsOf([organizationId]) } }, fields);
      const { time_zone: timeZone, language } = record ?? {};
      return { ...(timeZone && { timeZone }), ...(language && { language }) };
    },

    /** What is measured before an approval, and the budget of an automatic measurement. */
    async evaluationSettings(organizationId: string): Promise<typeof defaultEvaluationSettings> {
      const record = await organizations
        .findById(organizationId, { evaluate_before_approval: 1, evaluation_budget_spu: 1, evaluation_ask_above: 1 })
        .lean();
      return {
        mode: record?.evaluate_before_approval ?? defaultEvaluationSettings.mode,
        budgetSpu: record?.evaluation_budget_spu ?? defaultEvaluationSettings.budgetSpu,
        askAbove: record?.evaluation_ask_above ?? defaultEvaluationSettings.askAbove,
      };
    },

    /** A user's organizations, oldest membership first. */
    async listForMember(userId: string): Promise<OrganizationWithMembers[]> {
      const records = await organizations.find({ 'members.user_id': userId }).lean();
      const joined = (entry: OrganizationWithMembers) =>
        entry.members.find((member) => member.userId === userId)?.joinedAt ?? '';
      return records.map(toOrganizationWithMembers).sort((one, other) => joined(one).localeCompare(joined(other)));
    },

    async update(
      organizationId: string,
      { seen, keep_conversations_days: days, ...change }: OrganizationChange,
      changedBy: string,
    ): Promise<Organization | undefined> {
      const kept = typeof days === 'number' && { keep_conversations_days: days, keep_conversations_set_by: changedBy };
      const update = {
        $set: { ...change, ...kept },
        ...(days === null && { $unset: { keep_conversations_days: 1, keep_conversations_set_by: 1 } }),
      };
      const read = () => organizations.findById(organizationId).lean();
      const record = await editAsSeen({ what: 'organization', seen, read, present: toOrganization }, (unchanged) => {
        const filter = { _id: organizationId, ...unchanged({ ...update.$set, ...(days === null && update.$unset) }) };
        return organizations.findOneAndUpdate(filter, update, { returnDocument: 'after' }).lean();
      });
      return record && toOrganization(record);
    },

    /** The organizations that keep conversations for a limited time. */
    async conversationLimits(): Promise<{ organizationId: string; days: number; setBy: string }[]> {
      const fields = { keep_conversations_days: 1, keep_conversations_set_by: 1 };
      const records = await organizations.find({ keep_conversations_days: { $gte: 1 } }, fields).lean();
      return records.flatMap(({ _id, keep_conversations_days: days, keep_conversations_set_by: setBy }) =>
        days === undefined || setBy === undefined
          ? []
          : [{ organizationId: _id.toHexString(), days, setBy: setBy.toHexString() }],
      );
    },

    /** Whether two users share an organization. */
    async shareOrganization(userId: string, otherId: string): Promise<boolean> {
      const both = { $and: [{ 'members.user_id': userId }, { 'members.user_id': otherId }] };
      return (await organizations.findOne(both, { _id: 1 }).lean()) !== null;
    },

    /** False if the user is already a member, or `addedBy` is no longer an admin. */
    async addMember(organizationId: string, userId: string, role: Role, addedBy: string): Promise<boolean> {
      const { modifiedCount } = await organizations.updateOne(
        {
          _id: organizationId,
          'members.user_id': { $ne: userId },
          members: { $elemMatch: { role: 'admin', user_id: addedBy } },
        },
        { $push: { members: { user_id: userId, role, joined_at: new Date() } } },
      );
      return modifiedCount === 1;
    },

    /** False if the user is not a member, has another role than `former`, or is the last admin and would lose the role. */
    async changeRole(organizationId: string, userId: string, role: Role, former?: Role): Promise<boolean> {
      const { matchedCount } = await organizations.updateOne(
        {
          _id: organizationId,
          'members.user_id': userId,
          ...(former && { $and: [{ members: { $elemMatch: { user_id: userId, role: former } } }] }),
          ...(role === 'admin' ? {} : anotherAdmin(userId)),
        },
        { $set: { 'members.$[member].role': role } },
        { arrayFilters: [{ 'member.user_id': new Types.ObjectId(userId) }] },
      );
      return matchedCount === 1;
    },

    /** False if the user is not a member, or is the last admin. */
    async removeMember(organizationId: string, userId: string): Promise<boolean> {
      const { matchedCount } = await organizations.updateOne(
        { _id: organizationId, 'members.user_id': userId, ...anotherAdmin(userId) },
        { $pull: { members: { user_id: userId } } },
      );
      return matchedCount === 1;
    },
  };
}

function toOrganization(record: OrganizationRecord): Organization {
  return {
    id: record._id.toHexString(),
    name: record.name,
    auto_create_default: record.auto_create_default,
    // Lean records have no defaults.
    auto_create_on_ask: record.auto_create_on_ask ?? 'deny',
    on_duplicate: record.on_duplicate ?? 'mark',
    time_zone: record.time_zone ?? null,
    language: record.language ?? null,
    evaluate_before_approval: record.evaluate_before_approval ?? defaultEvaluationSettings.mode,
    evaluation_budget_spu: record.evaluation_budget_spu ?? defaultEvaluationSettings.budgetSpu,
    evaluation_ask_above: record.evaluation_ask_above ?? defaultEvaluationSettings.askAbove,
    require_second_factor: record.require_second_factor ?? false,
    keep_conversations_days: record.keep_conversations_days ?? null,
    created_at: record.created_at.toISOString(),
  };
}

function toOrganizationWithMembers(record: OrganizationRecord): OrganizationWithMembers {
  const members = record.members.map((member) => ({
    userId: member.user_id.toHexString(),
    role: member.role,
    joinedAt: member.joined_at.toISOString(),
  }));
  return { organization: toOrganization(record), members };
}
