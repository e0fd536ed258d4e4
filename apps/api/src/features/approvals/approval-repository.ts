import type { ApprovalQuery, Counted, TurnAnswer } from '@docwright/contract';
import mongoose, { type Connection, type QueryFilter } from 'mongoose';
import { objectIdsOf } from '../../platform/database/object-id.ts';
import { documentModel } from '../documents/index.ts';
import {
  turnModel,
  pendingCallModel,
  pendingFor,
  type StoredDecision,
  type TurnRecord,
  type PendingCallRecord,
} from '../turns/index.ts';
import { readPage, type PageSelection } from '../../platform/database/page.ts';

/** Selects the calls that a user can decide. */
export interface Visible {
  userId: string;
  /** Admins also decide calls of all runs and schedules, but never calls of another user's chat. */
  isAdmin: boolean;
}

type CallFilter = Pick<ApprovalQuery, 'tool' | 'document_id' | 'run_id' | 'thread_id' | 'mine' | 'group' | 'from'>;

/** Similar calls: the id of the first one, and the paths at which they name different documents. */
export interface CallGroup {
  group: string;
  size: number;
  first: string;
  /** When the first of them expires. */
  expires: Date;
  differs: string[];
}

/** A call that was decided, or whose turn has ended. */
export interface SettledCall {
  userId: string;
  isUnattended: boolean;
  status: TurnRecord['status'];
  isDecided: boolean;
  /** Known for the last decided batch of the turn. */
  decidedBy?: string;
}

/** The pending calls of one organization. */
export type ApprovalRepository = ReturnType<ReturnType<typeof createApprovalRepositories>>;

export function createApprovalRepositories(connection: Connection) {
  const model = pendingCallModel(connection);
  const turns = turnModel(connection);
  const documents = documentModel(connection);
  return (organizationId: string) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const open = () => ({ organization_id, decision: null, expires_at: { $gt: new Date() } });
    const filterOf = ({ userId, isAdmin }: Visible, filter: CallFilter): QueryFilter<PendingCallRecord> => {
      const visible = pendingFor({ userId, isAdmin: isAdmin && filter.mine !== true });
      const query: QueryFilter<PendingCallRecord> = { organization_id, ...visible };
      if (filter.from !== undefined) query.is_unattended = filter.from === 'runs';
      if (filter.tool !== undefined) query.tool = filter.tool;
      if (filter.group !== undefined) query.group = filter.group;
      if (filter.run_id !== undefined) query.run_id = filter.run_id;
      if (filter.document_id !== undefined) query.document_id = { $in: objectIdsOf([filter.document_id]) };
      if (filter.thread_id !== undefined) query.thread_id = { $in: objectIdsOf([filter.thread_id]) };
      return query;
    };
    const order = { expires_at: 1, _id: 1 } as const;
    return {
      /** Ordered by expiry. */
      listAll: (visible: Visible, filter: CallFilter): Promise<PendingCallRecord[]> =>
        model.find(filterOf(visible, filter)).sort(order).lean(),
      listPage: (visible: Visible, filter: CallFilter, page: PageSelection, count: () => Promise<Counted>) =>
        readPage(model, filterOf(visible, filter), { ...page, sort: order, count }),
      /** Groups of similar calls, in no order. */
      async groups(visible: Visible, filter: CallFilter): Promise<CallGroup[]> {
        // One pass over the records, and one small row per group.
        const found = await model.aggregate<{
          _id: string;
          size: number;
          first: string;
          expires: Date;
          least: PendingCallRecord['names'];
          most: PendingCallRecord['names'];
        }>([
          { $match: filterOf(visible, filter) },
          {
            $group: {
              _id: '$group',
              size: { $sum: 1 },
              expires: { $min: '$expires_at' },
              first: { $min: '$call_id' },
              least: { $min: '$names' },
              most: { $max: '$names' },
            },
          },
        ]);
        return found.map(({ _id: group, least, most, ...rest }) => ({
          group,
          ...rest,
          differs: differing(least, most),
        }));
      },
      /** Changes whenever a call is added or removed. */
      async fingerprint(): Promise<string> {
        const [count, newest] = await Promise.all([
          model.countDocuments(open()),
          model.findOne(open(), { _id: 1 }).sort({ _id: -1 }).lean(),
        ]);
        return `${count} ${newest?._id.toHexString() ?? ''}`;
      },
      byCallIds: (callIds: readonly string[]): Promise<PendingCallRecord[]> =>
        model.find({ organization_id, call_id: { $in: [...callIds] } }).lean(),
      async find(turnId: string, callId: string): Promise<PendingCallRecord | undefined> {
        const found = await model.findOne({ organization_id, call_id: callId }).lean();
        return found?.turn_id.toHexString() === turnId.toLowerCase() ? found : undefined;
      },
      ofTurn: (turnId: string): Promise<PendingCallRecord[]> =>
        model.find({ organization_id, turn_id: { $in: objectIdsOf([turnId]) } }).lean(),
      /** Atomic: the first decision is stored. Returns false if the call is already decided. */
      async store(callId: string, decision: StoredDecision): Promise<boolean> {
        const { modifiedCount } = await model.updateOne(
          { organization_id, call_id: callId, decision: null },
          { $set: { decision, decided_at: new Date() } },
        );
        return modifiedCount === 1;
      },
      /** Revokes a decision that could not be executed, so that the call is pending again. */
      async reopen(callId: string, { by }: StoredDecision): Promise<void> {
        await model.updateOne(
          { organization_id, call_id: callId, 'decision.by': by },
          { $set: { decision: null }, $unset: { decided_at: 1 } },
        );
      },
      /** The outcome of a call that is no longer pending; undefined if the turn has no such call. */
      async settled(turnId: string, callId: string): Promise<SettledCall | undefined> {
        const fields = { user_id: 1, is_unattended: 1, status: 1, approver: 1, answer: 1, decided: 1 };
        const turn = await turns.findOne({ organization_id, _id: { $in: objectIdsOf([turnId]) } }, fields).lean();
        if (turn === null) return undefined;
        const at = turn.decided.findIndex(({ call_ids }) => call_ids.includes(callId));
        const answer = turn.answer === undefined ? undefined : (JSON.parse(turn.answer) as TurnAnswer);
        const calls = answer?.executed_rounds.flatMap(({ tool_calls }) => tool_calls) ?? [];
        if (at < 0 && ![...calls, ...(answer?.tool_calls ?? [])].some(({ id }) => id === callId)) return undefined;
        const userId = turn.user_id.toHexString();
        return {
          userId,
          isUnattended: turn.is_unattended === true,
          status: turn.status,
          isDecided: at >= 0,
          ...(at >= 0 && at === turn.decided.length - 1 && { decidedBy: turn.approver ?? userId }),
        };
      },
      /** The answers of pending turns, by turn id. */
      async answers(turnIds: readonly string[]): Promise<Map<string, TurnAnswer>> {
        const fields = { answer: 1, status: 1 };
        const found = await turns.find({ organization_id, _id: { $in: objectIdsOf([...turnIds]) } }, fields).lean();
        return new Map(
          found.flatMap(({ _id, answer }) =>
            answer === undefined ? [] : [[_id.toHexString(), JSON.parse(answer) as TurnAnswer]],
          ),
        );
      },
      async documentNames(ids: readonly string[]): Promise<Map<string, string>> {
        const found = await documents
          .find({ organization_id, _id: { $in: objectIdsOf([...ids]) }, deleted_at: null }, { document_name: 1 })
          .lean();
        return new Map(found.map(({ _id, document_name }) => [_id.toHexString(), document_name]));
      },
    };
  };
}

/** The paths at which the calls of a group name different documents. */
function differing(least: PendingCallRecord['names'], most: PendingCallRecord['names']): string[] {
  return Object.keys(most).flatMap((path) => (least[path] === most[path] ? [] : [path.replaceAll('/', '.')]));
}
