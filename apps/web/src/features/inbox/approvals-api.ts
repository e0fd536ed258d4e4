import type { Approval, ApprovalDecision, ApprovalOutcome, DecideApprovalsEvent } from '@docwright/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { InboxSearch } from '../../shared/addresses/inbox-search.ts';
import { requestJson, send } from '../../shared/http/http.ts';
import { readEvents } from '../../shared/http/turn-stream.ts';
import { approvalsKey, approvalsPath } from '../../shared/page/approval-count.tsx';

const pageLimit = 100;

/** Decisions in one request. */
export const maxDecisions = 200;

export const approvalEventsPath = (orgId: string) => `${approvalsPath(orgId)}/events`;

const filterOf = ({ from, tool, run, document }: InboxSearch) => ({ from, tool, run_id: run, document_id: document });

/** One call of each group of similar calls, the first to expire first. */
export function groupsQuery(orgId: string, filter: InboxSearch, page: number) {
  const search = { ...filterOf(filter), by: 'group' as const, skip: (page - 1) * pageLimit, limit: pageLimit };
  return queryOptions({
    queryKey: [...approvalsKey(orgId), 'groups', search],
    queryFn: ({ signal }) => requestJson(approvalsPath(orgId), { query: search, signal }),
    placeholderData: keepPreviousData,
  });
}

/** The number of groups. */
export function groupCountQuery(orgId: string, filter: InboxSearch) {
  const search = { ...filterOf(filter), by: 'group' as const, limit: 1 };
  return queryOptions({
    queryKey: [...approvalsKey(orgId), 'count', search],
    queryFn: async ({ signal }) => (await requestJson(approvalsPath(orgId), { query: search, signal })).total_groups,
    placeholderData: keepPreviousData,
  });
}

/** The calls of one group, up to the number that can be decided at once. */
export function groupCallsQuery(orgId: string, group: string, filter: InboxSearch) {
  return queryOptions({
    queryKey: [...approvalsKey(orgId), 'calls', group, filterOf(filter)],
    queryFn: async ({ signal }) => {
      const all: Approval[] = [];
      for (let skip = 0; skip < maxDecisions; skip += pageLimit) {
        const query = { ...filterOf(filter), group, skip, limit: pageLimit };
        const { approvals, total_count } = await requestJson(approvalsPath(orgId), { query, signal });
        all.push(...approvals);
        if (all.length >= total_count) break;
      }
      return all;
    },
  });
}

/** Decides on calls and reports progress after each. */
export async function decideApprovals(
  orgId: string,
  decisions: ApprovalDecision[],
  onProgress: (decided: number) => void,
): Promise<ApprovalOutcome[]> {
  const body = { decisions, stream: true };
  const response = await send(`${approvalsPath(orgId)}/decide`, { method: 'POST', body });
  for await (const frame of readEvents(response)) {
    const event = JSON.parse(frame.data) as DecideApprovalsEvent;
    if (event.type === 'done') return event.outcomes;
    onProgress(event.decided);
  }
  throw new Error(
    'The connection was lost during the decision. Check which calls are still pending, then decide again.',
  );
}
