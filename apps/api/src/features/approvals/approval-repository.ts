import type { ApprovalQuery } from '@docwright/contract';
import mongoose, { type Connection, type QueryFilter } from 'mongoose';
import type { TurnAnswer } from '@docwright/contract';
import { objectIdsOf } from '../../platform/database/object-id.ts';
import { documentModel } from '../documents/document-model.ts';
import { turnModel } from '../turns/turn-model.ts';
import { waitingCallModel, type StoredDecision, type WaitingCallRecord } from '../turns/waiting-call-model.ts';

/** Whose calls somebody may decide. */
export interface Visible {
  userId: string;
  /** Of all runs and schedules, too; never of somebody's private chat. */
  isAdmin: boolean;
}

export type WaitingCall = WaitingCallRecord;
export type CallFilter = Pick<ApprovalQuery, 'tool' | 'document_id' | 'run_id' | 'thread_id' | 'mine' | 'group'>;

/** The calls of one organization that wait for a decision. */
export interface ApprovalRepository {
  /** The first to expire first, without what they would do. */
  light(visible: Visible, filter: CallFilter): Promise<WaitingCall[]>;
  page(visible: Visible, filter: CallFilter, page: { skip: number; limit: number }): Promise<WaitingCall[]>;
  count(visible: Visible, filter: CallFilter): Promise<{ total_count: number; total_groups: number }>;
  /** Changes whenever a call comes or goes. */
  fingerprint(): Promise<string>;
  find(turnId: string, callId: string): Promise<WaitingCall | undefined>;
  ofTurn(turnId: string): Promise<WaitingCall[]>;
  /** Atomic: of all who decide a call, one does; false where it is decided already. */
  store(callId: string, decision: StoredDecision): Promise<boolean>;
  /** Takes a decision back that could not be carried out. */
  reopen(callId: string, decision: StoredDecision): Promise<void>;
  /** What the turns wait with, by turn. */
  answers(turnIds: readonly string[]): Promise<Map<string, TurnAnswer>>;
  documentNames(ids: readonly string[]): Promise<Map<string, string>>;
}

export function createApprovalRepositories(connection: Connection): (organizationId: string) => ApprovalRepository {
  const model = waitingCallModel(connection);
  const turns = turnModel(connection);
  const documents = documentModel(connection);
  return (organizationId) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const open = () => ({ organization_id, decision: null, expires_at: { $gt: new Date() } });
    const filterOf = ({ userId, isAdmin }: Visible, filter: CallFilter): QueryFilter<WaitingCallRecord> => {
      const own = { user_id: new mongoose.Types.ObjectId(userId) };
      const query: QueryFilter<WaitingCallRecord> = open();
      if (isAdmin && filter.mine !== true) query.$or = [own, { is_unattended: true }];
      else Object.assign(query, own);
      if (filter.tool !== undefined) query.tool = filter.tool;
      if (filter.group !== undefined) query.group = filter.group;
      if (filter.run_id !== undefined) query.run_id = filter.run_id;
      if (filter.document_id !== undefined) query.document_id = { $in: objectIdsOf([filter.document_id]) };
      if (filter.thread_id !== undefined) query.thread_id = { $in: objectIdsOf([filter.thread_id]) };
      return query;
    };
    const order = { expires_at: 1, _id: 1 } as const;
    return {
      light: (visible, filter) => model.find(filterOf(visible, filter)).sort(order).lean(),
      page: (visible, filter, { skip, limit }) =>
        model.find(filterOf(visible, filter)).sort(order).skip(skip).limit(limit).lean(),
      async count(visible, filter) {
        const query = filterOf(visible, filter);
        const [total_count, groups] = await Promise.all([model.countDocuments(query), model.distinct('group', query)]);
        return { total_count, total_groups: groups.length };
      },
      async fingerprint() {
        const [count, newest] = await Promise.all([
          model.countDocuments(open()),
          model.findOne(open(), { _id: 1 }).sort({ _id: -1 }).lean(),
        ]);
        return `${count} ${newest?._id.toHexString() ?? ''}`;
      },
      async find(turnId, callId) {
        const found = await model.findOne({ organization_id, call_id: callId }).lean();
        return found?.turn_id.toHexString() === turnId.toLowerCase() ? found : undefined;
      },
      ofTurn: (turnId) => model.find({ organization_id, turn_id: { $in: objectIdsOf([turnId]) } }).lean(),
      async store(callId, decision) {
        const { modifiedCount } = await model.updateOne(
          { organization_id, call_id: callId, decision: null },
          { $set: { decision } },
        );
        return modifiedCount === 1;
      },
      async reopen(callId, { by }) {
        await model.updateOne({ organization_id, call_id: callId, 'decision.by': by }, { $set: { decision: null } });
      },
      async answers(turnIds) {
        const fields = { answer: 1, status: 1 };
        const found = await turns.find({ organization_id, _id: { $in: objectIdsOf([...turnIds]) } }, fields).lean();
        return new Map(
          found.flatMap(({ _id, answer }) =>
            answer === undefined ? [] : [[_id.toHexString(), JSON.parse(answer) as TurnAnswer]],
          ),
        );
      },
      async documentNames(ids) {
        const found = await documents
          .find({ organization_id, _id: { $in: objectIdsOf([...ids]) }, deleted_at: null }, { document_name: 1 })
          .lean();
        return new Map(found.map(({ _id, document_name }) => [_id.toHexString(), document_name]));
      },
    };
  };
}
