import type { Document } from '@docwright/contract';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { readAuditPage, undoEntry } from '../../../shared/api/audit-api.ts';
import { documentsPath } from '../../../shared/api/documents-api.ts';
import { openRoutingKey, openRoutingStates } from '../../../shared/api/arrival/review-counts-api.ts';
import { settleRouting } from '../../../shared/api/arrival/routes-api.ts';
import { messageOf } from '../../../shared/http/api-error.ts';
import { requestJson } from '../../../shared/http/http.ts';
import { useFailureMessage } from '../../../shared/page/writes/left-writes.ts';

const pageSize = 50;
const refetchMs = 10_000;

/** The oldest documents that wait for a user to decide their route or their split. */
function queueQuery(orgId: string) {
  return queryOptions({
    queryKey: [...openRoutingKey(orgId), 'queue'],
    queryFn: async ({ signal }) => {
      const lists = openRoutingStates.map(async (routing) => {
        const query = { routing, sort: 'upload_date', order: 'asc', limit: pageSize } as const;
        return await requestJson(documentsPath(orgId), { query, signal });
      });
      const found = await Promise.all(lists);
      const documents = found.flatMap((list) => list.documents);
      return {
        documents: documents.toSorted((one, other) => one.upload_date.localeCompare(other.upload_date)),
        total: found.reduce((sum, { total_count }) => sum + total_count, 0),
      };
    },
    refetchInterval: refetchMs,
  });
}

interface Decision {
  document: Document;
  /** The entry of the audit log that undoes it; undefined while it is stored. */
  entryId: string | undefined;
}

/** The queue of undecided documents: a decision takes effect at once, and can be undone. */
export function useRoutingQueue(orgId: string) {
  const queryClient = useQueryClient();
  const queue = useQuery(queueQuery(orgId));
  const [decisions, setDecisions] = useState<readonly Decision[]>([]);
  const [problem, setProblem] = useState<string>();
  const say = useFailureMessage();
  const decidedIds = new Set(decisions.map(({ document }) => document.id));
  const documents = (queue.data?.documents ?? []).filter(({ id }) => !decidedIds.has(id));
  const refresh = async () => {
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: openRoutingKey(orgId) }),
      queryClient.invalidateQueries({ queryKey: ['documents', orgId] }),
    ]);
  };
  const withdraw = (id: string) => setDecisions((before) => before.filter(({ document }) => document.id !== id));

  async function decide(document: Document, routeId: string | null): Promise<void> {
    setProblem(undefined);
    setDecisions((before) => [...before, { document, entryId: undefined }]);
    try {
      await settleRouting(orgId, document.id, routeId);
      const filter = { document_id: document.id, tool: 'update_document' };
      const [entry] = (await readAuditPage(orgId, filter, 0, 1)).entries;
      setDecisions((before) =>
        before.map((each) => (each.document.id === document.id ? { ...each, entryId: entry?.id } : each)),
      );
    } catch (error) {
      withdraw(document.id);
      say(`${document.document_name}: ${messageOf(error)}`, setProblem);
    }
    await refresh();
  }

  const last = decisions.at(-1);
  async function undoLast(): Promise<void> {
    if (last?.entryId === undefined) return;
    setProblem(undefined);
    try {
      await undoEntry(orgId, last.entryId);
      withdraw(last.document.id);
    } catch (error) {
      say(`${last.document.document_name}: ${messageOf(error)}`, setProblem);
    }
    await refresh();
  }

  return {
    queue,
    documents,
    /** How many wait, also those that are not loaded. */
    left: (queue.data?.total ?? 0) - ((queue.data?.documents.length ?? 0) - documents.length),
    done: decisions.length,
    problem,
    decide,
    undoLast: last?.entryId === undefined ? undefined : undoLast,
    lastName: last?.document.document_name,
  };
}
