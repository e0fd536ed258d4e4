import type { ReviewItem, ReviewOutcome, ReviewQueue } from '@docwright/contract';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { messageOf } from '../../shared/http/api-error.ts';
import { requestJson } from '../../shared/http/http.ts';
import { setVerified } from '../../shared/api/extractions-api.ts';

/** A document with its values that are open, the riskiest first. */
export interface ReviewGroup {
  key: string;
  items: ReviewItem[];
}

export interface Decided {
  item: ReviewItem;
  action: 'confirm' | 'correct' | 'clear';
  value?: unknown;
}

/** Half of the lease: reading the queue again renews it. */
const renewMs = 60_000;

/** The document that is looked at and the next one, which is loaded meanwhile. */
function queueQuery(orgId: string) {
  return queryOptions({
    queryKey: ['review', orgId, 'queue'],
    queryFn: ({ signal }) => requestJson<ReviewQueue>(`/v0/orgs/${orgId}/review?limit=100&max_documents=2`, { signal }),
    refetchInterval: renewMs,
    refetchOnWindowFocus: false,
    staleTime: Infinity,
  });
}

const keyOf = ({ document_id, prompt_revid }: ReviewItem) => `${document_id} ${prompt_revid}`;
const valueKey = (item: ReviewItem) => `${keyOf(item)} ${item.path}`;

/** The queue as one user works through it: what is decided is gone at once, and is written behind. */
export function useReview(orgId: string) {
  const queryClient = useQueryClient();
  const queue = useQuery(queueQuery(orgId));
  const [decided, setDecided] = useState<ReadonlyMap<string, Decided>>(new Map());
  const [current, setCurrent] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const writing = useRef(Promise.resolve());
  const versions = useRef(new Map<string, number>());

  const groups = useMemo(() => {
    const open = (queue.data?.items ?? []).filter((item) => !decided.has(valueKey(item)));
    const all = [...Map.groupBy(open, keyOf)].map(([key, items]): ReviewGroup => ({ key, items }));
    // The current document stays, even when riskier ones enter the queue.
    return all.toSorted((a, b) => Number(b.key === current) - Number(a.key === current));
  }, [queue.data, decided, current]);
  const shown = groups[0];
  if (shown !== undefined && shown.key !== current) setCurrent(shown.key);

  const refresh = () => queryClient.invalidateQueries({ queryKey: ['review', orgId] });
  const restoreItems = (items: readonly ReviewItem[], message: string) => {
    setDecided((before) => new Map([...before].filter(([key]) => !items.some((item) => valueKey(item) === key))));
    setProblem(message);
  };
  /** One write at a time, so that each stands on the version that the one before has made. */
  const write = (items: readonly ReviewItem[], run: () => Promise<string | undefined>) => {
    setProblem(undefined);
    const before = writing.current;
    const writeNext = async (): Promise<void> => {
      await before;
      try {
        const message = await run();
        if (message !== undefined) restoreItems(items, message);
      } catch (error) {
        restoreItems(items, messageOf(error));
      }
    };
    writing.current = writeNext();
  };

  function decide({ item, action, value }: Decided): void {
    setDecided((before) =>
      new Map(before).set(valueKey(item), { item, action, ...(value !== undefined && { value }) }),
    );
    const isLast = shown?.items.length === 1;
    write([item], async () => {
      const { document_id, prompt_revid, path } = item;
      const version = versions.current.get(keyOf(item)) ?? item.version;
      const decision = { document_id, prompt_revid, path, version, action, ...(value !== undefined && { value }) };
      const { outcomes } = await requestJson<{ outcomes: ReviewOutcome[] }>(`/v0/orgs/${orgId}/review/decide`, {
        method: 'POST',
        body: { decisions: [decision] },
      });
      const outcome = outcomes[0];
      if (outcome?.version !== undefined) versions.current.set(keyOf(item), outcome.version);
      if (isLast || outcome?.status !== 'decided') void refresh();
      if (outcome?.status === 'decided') return undefined;
      if (outcome?.status === 'conflict') return 'Someone else changed this document. Check the value again.';
      return outcome?.message ?? 'This value is not there any more.';
    });
  }

  function verify(group: ReviewGroup): void {
    const [first] = group.items;
    if (first === undefined) return;
    const all = group.items.map((item): [string, Decided] => [valueKey(item), { item, action: 'confirm' }]);
    setDecided((before) => new Map([...before, ...all]));
    write(group.items, async () => {
      await setVerified(orgId, first.document_id, first.prompt_revid, true);
      void refresh();
      return undefined;
    });
  }

  const waiting = (queue.data?.items ?? []).filter((item) => decided.has(valueKey(item))).length;
  return {
    queue,
    groups,
    decided,
    problem,
    /** Values that are left in the whole queue. */
    left: Math.max(0, (queue.data?.values ?? 0) - waiting),
    documents: queue.data?.documents ?? 0,
    decide,
    verify,
  };
}
