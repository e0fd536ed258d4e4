import { withExactResult, type Extraction, type ReviewItem } from '@docwright/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useSession } from '../../shared/session/session.tsx';
import { readStored, writeStored } from '../../shared/ui/browser/stored-value.ts';
import { editableValue } from '../../shared/values/field-value.ts';
import { readPicked } from './picked-value.ts';
import { tablePathOf } from './table-draft.ts';
import { keptKey, keptRowsKey, otherPlaces, restOf, scalarOf, useGroupValues } from './use-group-values.ts';
import { usePicking, type PickedText } from './use-picking.ts';
import type { DecidedValue, useReview } from './queue/use-review.ts';
import { valueAt } from '../../shared/values/value-path.ts';

/** What is open beside the list of values: an editor, a table, or the question whether to verify. */
type Open =
  | { kind: 'editor'; item: ReviewItem; start: string | PickedText; kept?: string | null; ordinal: number }
  | {
      kind: 'table';
      /** Another each time that a table is opened. */
      ordinal: number;
      path: string;
      from: string;
      /** The rows, and the version of the result that has them. */
      list: unknown;
      version: number;
      picked?: PickedText & { ordinal: number };
    }
  | { kind: 'verify' };

export interface DeskActions {
  byKey: Record<string, () => void>;
  /** Handles a key while words are taken from the page; true if the key was one of these. */
  takeKey: (event: KeyboardEvent) => boolean;
}

let ordinal = 0;

/** The values of a document that the user has seen, in this version of its result. */
interface SeenValues {
  version: number;
  paths: ReadonlySet<string>;
}

const noPaths: ReadonlySet<string> = new Set();

/**
 * Asks before an action that would close an editor with what the user has typed. An editor that is closed says so only after the
 * browser has drawn the page, and a quick key comes before: so it counts only while one is open.
 */
function useKeptText(isOpen: boolean) {
  const [isTyped, setTyped] = useState(false);
  const [pending, setPending] = useState<() => void>();
  const unlessTyped = (action: () => void): void => {
    if (isOpen && isTyped) setPending(() => action);
    else action();
  };
  /** What waits for an answer. */
  const question = pending && { discard: async () => pending(), keep: () => setPending(undefined) };
  return { setTyped, unlessTyped, question };
}

/** The current document and value, and the actions on them. */
export function useDesk(review: ReturnType<typeof useReview>) {
  const { orgId, canWrite } = useSession();
  const queryClient = useQueryClient();
  const { groups, decide } = review;
  const [group, next] = groups;
  const values = useGroupValues(group);
  // Loads the next document's values before it is shown.
  useGroupValues(next);
  const [place, setPlace] = useState<{ key: string; at: number }>();
  const [opened, setOpened] = useState<{ key: string; open: Open }>();
  /** The ordinal of the table whose rows are being saved. */
  const [saving, setSaving] = useState<number>();
  const [cellPath, setCellPath] = useState<string>();
  const [highlightedPath, setHighlightedPath] = useState<string>();
  const open = opened?.key === group?.key ? opened?.open : undefined;
  const { setTyped, unlessTyped, question } = useKeptText(open !== undefined);
  const edited = open?.kind === 'editor' ? open.item : undefined;
  const keepTyped = (text: string | null) => edited && writeStored(keptKey(edited), text);
  const listed = group?.items ?? [];
  const placed = Math.min(place?.key === group?.key ? (place?.at ?? 0) : 0, listed.length);
  // Somebody else can have decided the value whose editor is open, or others have come back before it.
  const items =
    edited && !listed.some(({ path }) => path === edited.path) ? listed.toSpliced(placed, 0, edited) : listed;
  const at = edited
    ? items.findIndex(({ path }) => path === edited.path)
    : Math.min(placed, Math.max(0, items.length - 1));
  const item = items[at];
  const current = { opened, group: group?.key, path: item?.path };
  /** What is shown and open after an answer was awaited. */
  const latest = useRef(current);
  useLayoutEffect(() => {
    latest.current = current;
  });
  // An audit lists all open values.
  const isAudit = [...items, ...review.decidedHere.map((decided) => decided.item)].some(({ audit }) => audit);
  const rest = group && !isAudit ? restOf(values.extraction) : [];
  const version = Math.max(group?.about.version ?? 0, values.extraction?.version ?? 0);
  const [seen, setSeen] = useState<ReadonlyMap<string, SeenValues>>(new Map());
  const seenOf = (before: ReadonlyMap<string, SeenValues>): ReadonlySet<string> => {
    const known = group && before.get(group.key);
    const isSame = known?.version === version;
    return known && (isSame || review.isOwnChange(group.about, known.version, version)) ? known.paths : noPaths;
  };
  const markSeen = (key: string, paths: readonly string[]) =>
    setSeen((before) => new Map(before).set(key, { version, paths: new Set([...seenOf(before), ...paths]) }));
  const hasSeen = (path: string) => seenOf(seen).has(path);
  const shownItem = values.isPending ? undefined : item?.path;
  if (group !== undefined && shownItem !== undefined && !hasSeen(shownItem)) markSeen(group.key, [shownItem]);

  const show = (now: Open) => {
    if (!group || !canWrite) return;
    review.hold(now.kind === 'verify' ? undefined : group);
    setOpened({ key: group.key, open: now });
  };
  const picking = usePicking(item, (picked) => {
    if (!item) return;
    ordinal += 1;
    if (open?.kind === 'table') show({ ...open, picked: { ...picked, ordinal } });
    else show({ kind: 'editor', item: open?.kind === 'editor' ? open.item : item, start: picked, ordinal });
  });
  const close = () => {
    review.hold(undefined);
    keepTyped(null);
    setOpened(undefined);
    if (group && edited) setPlace({ key: group.key, at });
    setHighlightedPath(undefined);
    picking.clear();
  };
  const moveTo = (to: number) => {
    close();
    if (group) setPlace({ key: group.key, at: Math.max(0, Math.min(items.length - 1, to)) });
  };
  const edit = (edited: ReviewItem | undefined = item) => {
    ordinal += 1;
    if (!edited) return;
    const [start, kept] = [editableValue(scalarOf(edited.value)), readStored(keptKey(edited))];
    show({ kind: 'editor', item: edited, start, kept, ordinal });
  };
  /** The table of a value whose rows were changed before the page was loaded again, and not saved. */
  const keptTable = (each: ReviewItem): string | undefined => {
    const path = tablePathOf(each.path, values.extraction?.result);
    const kept = path && readStored(keptRowsKey(each, path, values.extraction?.version ?? 0));
    return kept ? path : undefined;
  };
  /** Shows what was typed before the page was loaded again: a key would decide on the value without it. */
  const showKept = (among: readonly ReviewItem[]): boolean => {
    if (open?.kind === 'editor' || open?.kind === 'table' || !canWrite) return false;
    const kept = among.find((each) => readStored(keptKey(each)) !== null || keptTable(each) !== undefined);
    if (kept === undefined) return false;
    if (group && kept !== item) setPlace({ key: group.key, at: items.indexOf(kept) });
    const path = keptTable(kept);
    if (readStored(keptKey(kept)) !== null || path === undefined) edit(kept);
    else void openTable(kept, path);
    return true;
  };
  const act = (decision: Omit<DecidedValue, 'item'>) => {
    if (item && showKept([item])) return;
    close();
    if (item && canWrite) decide({ item, ...decision });
  };
  const verify = () => {
    if (!group || !canWrite || showKept(items)) return;
    if (open?.kind === 'verify' || items.length === 0) {
      close();
      review.verify(group, [...seenOf(seen)], version);
    } else show({ kind: 'verify' });
  };
  const isFinished = group !== undefined && items.length === 0;
  // Nothing is left to verify: the last decision has verified the document.
  const isWhole = isFinished && !values.isPending && rest.length === 0;
  useEffect(() => {
    if (isWhole) review.leave(group);
  });
  const reopen = (decided: DecidedValue) => {
    if (!group || !canWrite || Array.isArray(decided.value)) return;
    review.reopen(decided);
    close();
    setPlace({ key: group.key, at: 0 });
  };
  const tablePath = item && tablePathOf(item.path, values.extraction?.result);
  /**
   * Reloads the rows first, so that they contain the decisions made meanwhile. Opens nothing if the user has gone on by then:
   * the table would replace an editor with what was typed.
   */
  const openTable = async (of: ReviewItem, table: string) => {
    await review.settled();
    const { document_id, prompt_revid } = of;
    const queryKey = ['review', orgId, 'extraction', document_id, prompt_revid];
    await queryClient.refetchQueries({ queryKey });
    const read = queryClient.getQueryData<Extraction>(queryKey);
    const { opened: openedBy, group: shownGroup, path } = latest.current;
    if (read === undefined || openedBy !== opened || shownGroup !== group?.key || path !== of.path) return;
    ordinal += 1;
    const list = valueAt(withExactResult(read).result, table);
    show({ kind: 'table', ordinal, path: table, from: of.path, list, version: read.version });
  };
  const saveTable = async (rows: unknown, changedValues: number): Promise<void> => {
    if (!item || open?.kind !== 'table') return;
    const { path, list, version: listed, ordinal: saved } = open;
    const before = { ...item, path, value: list as ReviewItem['value'], version: listed };
    setSaving(saved);
    const isSaved = await review.decideRows(before, rows, changedValues);
    setSaving((now) => (now === saved ? undefined : now));
    const left = latest.current.opened?.open;
    if (isSaved && left?.kind === 'table' && left.ordinal === saved) close();
  };
  const other = item?.embedded_value === undefined ? item?.second_value : item.embedded_value;
  const canUseOther = other !== undefined && (other === null || typeof other !== 'object');
  const useOther = () => act(other === null ? { action: 'clear' } : { action: 'correct', value: other });
  const pickFromPage = () => {
    close();
    if (canWrite) picking.arm();
  };
  const reopenLast = () => {
    const [last] = review.decidedHere;
    if (last) reopen(last);
  };
  const byKey: Record<string, () => void> = {
    enter: () => unlessTyped(() => act({ action: 'confirm' })),
    x: () => unlessTyped(() => act({ action: 'clear' })),
    e: () => unlessTyped(() => edit()),
    ...(canUseOther && { u: () => unlessTyped(useOther) }),
    b: () => unlessTyped(pickFromPage),
    ...(tablePath !== undefined && { t: () => unlessTyped(() => item && void openTable(item, tablePath)) }),
    n: () => unlessTyped(() => (isFinished ? review.leave(group) : moveTo(at + 1))),
    p: () => unlessTyped(() => moveTo(at - 1)),
    z: () => unlessTyped(reopenLast),
    v: () => unlessTyped(verify),
  };
  return {
    canWrite,
    values,
    /** One value of the shown document, open or decided. */
    about: group?.about,
    items,
    item,
    /** Open values that need no check. */
    rest,
    /** Values to check that were neither decided nor shown. */
    unseen: items.filter(({ path }) => !hasSeen(path)),
    /** Marks the other open values as shown. */
    seeRest: () => group && markSeen(group.key, rest),
    at,
    open,
    /** The initial text of the editor. Picked text is converted here, because it can be picked before the schema is loaded. */
    editorText:
      item && open?.kind === 'editor'
        ? typeof open.start === 'string'
          ? open.start
          : readPicked(open.start.text, values.shapeAt(item), open.start.pageText)
        : '',
    otherValue: canUseOther ? other : undefined,
    /** The value whose place is highlighted. */
    shownPath: open?.kind === 'table' ? (cellPath ?? open.from) : (highlightedPath ?? item?.path),
    /** Places to mark beside those of the open values. */
    places:
      open?.kind === 'table'
        ? values.extraction?.grounding
        : otherPlaces(item ?? {}, values.extraction, highlightedPath),
    setCellPath,
    /** Shows the place of a value that is not open. */
    highlight: setHighlightedPath,
    pick: picking.pick,
    isPicking: picking.isArmed,
    pickProblem: picking.problem,
    actions: { byKey, takeKey: picking.onKey } satisfies DeskActions,
    moveTo: (to: number) => unlessTyped(() => moveTo(to)),
    select: (path: string) => unlessTyped(() => moveTo(items.findIndex((each) => each.path === path))),
    /** Of the value as it was when the editor was opened: what others have written since is not replaced unseen. */
    saveValue: (value: unknown) => {
      if (open?.kind !== 'editor' || !canWrite) return;
      close();
      const box = typeof open.start === 'string' ? undefined : open.start.box;
      decide({ item: open.item, action: 'correct', value, box });
    },
    saveTable,
    isSavingTable: open?.kind === 'table' && open.ordinal === saving,
    reopen: (decided: DecidedValue) => unlessTyped(() => reopen(decided)),
    /** Whether the open editor holds typed text, and what waits for an answer about it. */
    onTyped: setTyped,
    keepTyped,
    question: question && {
      ...question,
      discard: async () => {
        keepTyped(null);
        await question.discard();
      },
    },
    close,
  };
}

export type Desk = ReturnType<typeof useDesk>;
