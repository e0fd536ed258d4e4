import type { ReviewItem, ReviewQueue } from '@docwright/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { ApiError, messageOf } from '../../../shared/http/api-error.ts';
import { requestJson } from '../../../shared/http/http.ts';
import { reviewCountKey } from '../../../shared/api/arrival/review-counts-api.ts';
import { setVerified } from '../../../shared/api/extractions-api.ts';
import { askBeforeClosing, useFailureMessage } from '../../../shared/page/writes/left-writes.ts';
import type { PickedBox } from '../../../shared/values/page-pick.tsx';
import {
  keyOf,
  queuePageSize,
  queueQuery,
  shownKey,
  valueKey,
  type QueueFilter,
  type ResultKey,
} from './review-queue.ts';

/** A document with its open values, the riskiest first. */
export interface ReviewGroup {
  key: string;
  /** Empty if all values to check are decided, but the document is neither verified nor left. */
  items: ReviewItem[];
  /** One of its values, open or decided: it names the document and the result. */
  about: ReviewItem;
}

export interface DecidedValue {
  item: ReviewItem;
  action: 'confirm' | 'correct' | 'clear';
  value?: unknown;
  /** The box that the user drew on the page. */
  box?: PickedBox | undefined;
}

/** With fewer open values than this left, the queue is loaded again. */
const minLoaded = 30;

const changedByOthers = 'Someone else changed this document.';

/** Why decisions were not saved since the last one, and the values that were typed for them. */
interface Problem {
  message: string;
  typed: readonly string[];
}

/** The queue of one user: decided values disappear at once and are sent in the background. */
export function useReview(orgId: string, filter: QueueFilter) {
  const queryClient = useQueryClient();
  const queue = useQuery(queueQuery(orgId, filter));
  const [decided, setDecided] = useState<ReadonlyMap<string, DecidedValue>>(new Map());
  const [current, setCurrent] = useState<string>();
  /** Documents that the user has finished with. */
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [held, setHeld] = useState<ReviewGroup>();
  const [problem, setProblem] = useState<Problem>();
  const say = useFailureMessage();
  const [done, setDone] = useState(0);
  const writing = useRef(Promise.resolve());
  /** The version that a decision of this page has made of another, by result and former version. */
  const own = useRef(new Map<string, number>());
  /** What the user's own decisions have made of the version that they saw. A change of others is not among them. */
  const versionOf = (result: ResultKey, seen: number): number => {
    const next = own.current.get(`${keyOf(result)} ${seen}`);
    return next === undefined ? seen : versionOf(result, next);
  };

  const groups = useMemo(() => {
    const open = (queue.data?.items ?? []).filter((item) => !decided.has(valueKey(item)));
    const all = [...Map.groupBy(open, keyOf)].map(([key, items]): ReviewGroup => ({ key, items, about: items[0]! }));
    const last = [...decided.values()].findLast(({ item }) => keyOf(item) === current)?.item;
    if (last !== undefined && !left.has(keyOf(last)) && !all.some(({ key }) => key === current)) {
      all.push({ key: keyOf(last), items: [], about: last });
    }
    const heldAt = all.findIndex(({ key }) => key === held?.key);
    if (held !== undefined && heldAt < 0) all.push(held);
    // The user has decided the other values of it, and somebody else those that are held.
    else if (held !== undefined && all[heldAt]!.items.length === 0) all[heldAt] = held;
    // The current document stays, even when riskier ones enter the queue.
    return all.toSorted((a, b) => Number(b.key === current) - Number(a.key === current));
  }, [queue.data, decided, current, left, held]);
  const shown = groups[0];
  if (shown !== undefined && shown.key !== current) setCurrent(shown.key);
  const shownItem = shown?.about;
  useEffect(() => {
    queryClient.setQueryData(shownKey(orgId), shownItem);
    return () => queryClient.removeQueries({ queryKey: shownKey(orgId) });
  }, [queryClient, orgId, shownItem]);

  const refresh = async () => {
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: ['review', orgId, 'queue'] }),
      queryClient.invalidateQueries({ queryKey: reviewCountKey(orgId) }),
    ]);
  };
  const withdraw = (isWithdrawn: (key: string) => boolean) =>
    setDecided((before) => new Map([...before].filter(([key]) => !isWithdrawn(key))));
  const restoreItems = (items: readonly ReviewItem[], message: string, value?: unknown) => {
    withdraw((key) => items.some((item) => valueKey(item) === key));
    setDone((before) => before - items.length);
    const isTyped = value !== undefined && value !== null && typeof value !== 'object';
    const typed = isTyped ? [`${value as string | number | boolean}`] : [];
    say(problemText({ message, typed }), () =>
      setProblem((before) => ({ message, typed: [...(before?.typed ?? []), ...typed] })),
    );
  };
  /** Sends one write at a time, so that each uses the version that the previous one created. */
  const write = (items: readonly ReviewItem[], run: () => Promise<string | undefined>, value?: unknown) => {
    setProblem(undefined);
    const before = writing.current;
    const writeNext = async (): Promise<void> => {
      await before;
      try {
        const message = await run();
        if (message !== undefined) restoreItems(items, message, value);
      } catch (error) {
        restoreItems(items, messageOf(error), value);
      }
    };
    writing.current = askBeforeClosing(writeNext());
  };

  function leave(key: string): void {
    setLeft((before) => new Set([...before, key]));
  }

  async function send(
    { item, action, value, box }: DecidedValue,
    { isReopened = false } = {},
  ): Promise<string | undefined> {
    const { document_id, prompt_revid, path } = item;
    const version = versionOf(item, item.version);
    const given = { ...(value !== undefined && { value }), ...(box && { box }), seen: true };
    const { outcomes } = await requestJson(`/v0/orgs/${orgId}/review/decide`, {
      method: 'POST',
      body: { decisions: [{ document_id, prompt_revid, path, version, action, ...given }] },
    });
    const outcome = outcomes[0];
    if (outcome?.is_verified && !isReopened) leave(keyOf(item));
    if (outcome?.status === 'decided') {
      if (outcome.version !== undefined && outcome.version > version)
        own.current.set(`${keyOf(item)} ${version}`, outcome.version);
      return undefined;
    }
    void refresh();
    if (outcome?.status === 'conflict') return conflictMessage(value);
    return outcome?.message ?? 'This value no longer exists.';
  }

  function decide(decision: DecidedValue): void {
    const { item } = decision;
    setDecided((before) => new Map(before).set(valueKey(item), decision));
    setDone((before) => before + 1);
    const isLast = shown?.items.length === 1;
    const loaded = groups.reduce((sum, { items }) => sum + items.length, 0);
    const run = async () => {
      const message = await send(decision);
      if (message === undefined && (isLast || (loaded < minLoaded && leftValues > loaded))) void refresh();
      return message;
    };
    write([item], run, decision.value);
  }

  /**
   * Corrects all rows of a list at once; the queue is loaded again, since the server knows which values stay open.
   * Returns false if they were not saved.
   */
  async function decideRows(item: ReviewItem, rows: unknown, changedValues: number): Promise<boolean> {
    const key = valueKey(item);
    const decision: DecidedValue = { item, action: 'correct', value: rows };
    let isSaved = false;
    write([], async () => {
      const message = await send(decision);
      if (message !== undefined) return message;
      isSaved = true;
      setDone((before) => before + changedValues);
      await refresh();
      withdraw((other) => other.startsWith(`${key}.`));
      setDecided((before) => new Map(before).set(key, decision));
      return undefined;
    });
    await writing.current;
    return isSaved;
  }

  /** Opens a decided value again as it was before the decision. */
  function reopen({ item, action }: DecidedValue): void {
    const key = valueKey(item);
    queryClient.setQueryData(queueQuery(orgId, filter).queryKey, (data: ReviewQueue | undefined) => {
      if (data === undefined) return data;
      const others = data.items.filter((each) => valueKey(each) !== key);
      return { ...data, items: [item, ...others] };
    });
    withdraw((each) => each === key);
    setLeft((before) => new Set([...before].filter((each) => each !== keyOf(item))));
    setDone((before) => before - 1);
    if (action === 'confirm') return;
    // The reasons are about the former value: a wrong one that replaced it does not stay in the document meanwhile.
    const former: DecidedValue =
      item.value === null ? { item, action: 'clear' } : { item, action: 'correct', value: item.value };
    write([], async () => {
      return await send(former, { isReopened: true });
    });
  }

  /** Verifies the version that the user saw; other values than those seen are marked as unseen. */
  function verify(group: ReviewGroup, seen_paths: string[], seenVersion: number): void {
    const { document_id, prompt_revid } = group.about;
    const all = group.items.map((item): [string, DecidedValue] => [valueKey(item), { item, action: 'confirm' }]);
    setDecided((before) => new Map([...before, ...all]));
    setDone((before) => before + all.length);
    leave(group.key);
    write(group.items, async () => {
      const version = versionOf(group.about, seenVersion);
      try {
        await setVerified(orgId, document_id, { prompt_revid, version }, true, { seen_paths });
      } catch (error) {
        setLeft((before) => new Set([...before].filter((each) => each !== group.key)));
        if (!(error instanceof ApiError) || error.status !== 409) throw error;
        return `${changedByOthers} Look at it again before you verify it.`;
      } finally {
        void refresh();
      }
      return undefined;
    });
  }

  const decidedInQueue = (queue.data?.items ?? []).filter((item) => decided.has(valueKey(item))).length;
  /** Values to check of the whole queue. */
  const leftValues = Math.max(0, (queue.data?.values ?? 0) + (queue.data?.to_audit ?? 0) - decidedInQueue);
  return {
    queue,
    groups,
    /** How many values were decided since the page was opened. */
    done,
    /** Decisions about the shown document, the latest first. */
    decidedHere: [...decided.values()].filter(({ item }) => keyOf(item) === shown?.key).toReversed(),
    problem: problem && problemText(problem),
    left: leftValues,
    documents: queue.data?.documents ?? 0,
    /** Whether all values to check of the document are loaded. */
    isWhole: groups.length > 1 || (queue.data?.items.length ?? 0) < queuePageSize,
    /** Whether the user's own decisions have made the second version of the first. */
    isOwnChange: (result: ResultKey, from: number, to: number) => versionOf(result, from) === versionOf(result, to),
    /** The document stays while something is written in it, also when somebody else finishes it; undefined ends that. */
    hold: setHeld,
    decide,
    decideRows,
    reopen,
    verify,
    /** Goes on to the next document without verifying this one. */
    leave: (group: ReviewGroup) => leave(group.key),
    /** Resolves when the decisions made so far are stored. */
    settled: () => writing.current,
  };
}

function conflictMessage(value: unknown): string {
  if (value === null || typeof value !== 'object') return `${changedByOthers} Check the value again.`;
  return `${changedByOthers} Your rows are not saved. Copy what you need, close them and open them again.`;
}

/** Names the values that were not saved: what was typed is shown nowhere else. */
function problemText({ message, typed }: Problem): string {
  if (typed.length === 0) return message;
  const names = new Intl.ListFormat('en').format(typed.map((value) => `“${value}”`));
  return `${message} Your ${names} ${typed.length === 1 ? 'is' : 'are'} not saved.`;
}
