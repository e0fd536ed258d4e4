import type { EmbeddedValues } from '@docwright/documents';
import {
  isAtOrBelow,
  leafPathSteps,
  observeSteps,
  type LeafPath,
  type ParsedCheck,
  type StoredSignals,
} from '@docwright/review';
import { eachInSteps, inTurns, recordInSteps } from '../../platform/long-values/in-turns.ts';
import { failedChecks, verdicts, type ReviewFacts, type ValueDecision, type WrittenResult } from './review-facts.ts';

/**
 * The facts after an edit at `path`. Grounding and checks are evaluated again. Signals of the run (confidence of the
 * recognition, labels, second read, doubts, missing rows) stay with the unchanged values. With `decision`, the edit also decides
 * about the values that it changes.
 */
export async function factsOfEdit(
  former: ReviewFacts,
  before: WrittenResult,
  after: WrittenResult & { path: string },
  checks: readonly ParsedCheck[],
  decision: ValueDecision | undefined,
): Promise<ReviewFacts> {
  const origins = await originsOf(before.result, after.result, after.path);
  const embedded_values = await embeddedAfter(former.embedded_values ?? {}, origins, before, after);
  const facts = await factsAfter(former, { origins, embedded_values }, after, checks, () => decision);
  // An empty list has no values: the decision is stored for the list itself.
  if (decision !== undefined && !origins.has(after.path)) facts.decisions[after.path] = decision;
  return facts;
}

/** The facts after corrections of single values, by path. Nothing was added or removed. */
export async function factsOfCorrections(
  former: ReviewFacts,
  after: WrittenResult,
  checks: readonly ParsedCheck[],
  decisions: ReadonlyMap<string, ValueDecision>,
): Promise<ReviewFacts> {
  const origins = new Map<string, string | undefined>();
  const note = ({ path }: LeafPath) => void origins.set(path, decisions.has(path) ? undefined : path);
  await inTurns(eachInSteps(await inTurns(leafPathSteps(after.result)), note));
  const { embedded_values = {} } = former;
  return await factsAfter(former, { origins, embedded_values }, after, checks, (path) => decisions.get(path));
}

/** The facts of a changed result. `origins` has the former path of each value; undefined for those that were changed. */
async function factsAfter(
  former: ReviewFacts,
  {
    origins,
    embedded_values,
  }: { origins: ReadonlyMap<string, string | undefined>; embedded_values: EmbeddedValues['values'] },
  after: WrittenResult,
  checks: readonly ParsedCheck[],
  decisionOf: (path: string) => ValueDecision | undefined,
): Promise<ReviewFacts> {
  const failed_checks = failedChecks(checks, after.result);
  const steps = observeSteps({
    ...after,
    pages: [],
    validationErrors: after.validation_errors,
    failedChecks: failed_checks,
    embedded: await verdicts(after, embedded_values),
  });
  const observed = await inTurns(steps);
  const decisions = await mapped(origins, (origin, path) =>
    origin === undefined ? decisionOf(path) : former.decisions[origin],
  );
  const second = former.second_values ?? {};
  const second_values = await mapped(origins, (origin) => (origin === undefined ? undefined : second[origin]));
  const wasUnseen = new Set(former.unseen);
  const unseen: string[] = [];
  const noteUnseen = ([path, origin]: [string, string | undefined]): void => {
    if (origin !== undefined && wasUnseen.has(origin)) unseen.push(path);
  };
  if (wasUnseen.size > 0) await inTurns(eachInSteps(origins, noteUnseen));
  const ofRun = await mapped(origins, (origin, path) =>
    origin === undefined ? undefined : runSignals(former.signals[origin], observed[path]),
  );
  return {
    // A copy of tens of thousands of members would take longer than all else.
    signals: Object.assign(observed, ofRun),
    original_signals: former.original_signals ?? former.signals,
    failed_checks,
    ...(former.issues && { issues: former.issues }),
    ...(Object.keys(second_values).length > 0 && { second_values }),
    ...(Object.keys(embedded_values).length > 0 && { embedded_values }),
    decisions,
    ...(unseen.length > 0 && { unseen }),
  };
}

/** The machine-readable value stays with its row; a changed value keeps it if no row was added or removed. */
async function embeddedAfter(
  embedded: EmbeddedValues['values'],
  origins: ReadonlyMap<string, string | undefined>,
  before: WrittenResult,
  after: WrittenResult & { path: string },
): Promise<EmbeddedValues['values']> {
  if (Object.keys(embedded).length === 0) return {};
  const rowsOf = ({ result }: WrittenResult) => {
    const value = valueAt(result, after.path);
    return Array.isArray(value) ? value.length : undefined;
  };
  const hasSameRows = rowsOf(before) === rowsOf(after);
  return await mapped(origins, (origin, path) => {
    const from = origin ?? (hasSameRows ? path : undefined);
    return from !== undefined && Object.hasOwn(embedded, from) ? (embedded[from] ?? null) : undefined;
  });
}

/** What the page and the run said about a value, which its edited result does not show. */
const signalsOfRun = [
  'rowMissing',
  'rowDuplicate',
  'textCut',
  'nearUnread',
  'expectation',
  'label',
  'differsFromSecondRead',
  'hasConflict',
  'modelDoubt',
  'ocrConfidence',
  'misreading',
] as const satisfies (keyof StoredSignals)[];

/** Adds the signals of the run. */
function runSignals(former: StoredSignals = {}, observed: StoredSignals = {}): StoredSignals | undefined {
  const ofRun = signalsOfRun.filter((name) => former[name] !== undefined && former[name] !== false);
  if (ofRun.length === 0) return undefined;
  return { ...observed, ...Object.fromEntries(ofRun.map((name) => [name, former[name]])) };
}

async function mapped<Value>(
  origins: ReadonlyMap<string, string | undefined>,
  valueOf: (origin: string | undefined, path: string) => Value | undefined,
): Promise<Record<string, Value>> {
  return await inTurns(
    recordInSteps(
      () => origins.keys(),
      (path) => valueOf(origins.get(path), path),
    ),
  );
}

/** The previous path of each value of the new result; undefined for values that the edit changed. */
async function originsOf(before: unknown, after: unknown, edited: string): Promise<Map<string, string | undefined>> {
  const old = new Map<string, LeafPath['value']>();
  const leavesBefore = await inTurns(leafPathSteps(before));
  await inTurns(eachInSteps(leavesBefore, ({ path, value }) => void old.set(path, value)));
  const rows = await rowOrigins(valueAt(before, edited), valueAt(after, edited));
  const found = new Set(rows);
  const isNew = rows !== undefined && rows.every((origin) => origin === undefined);
  const originOf = ({ path, value }: LeafPath): string | undefined => {
    if (!isAtOrBelow(path, edited)) return old.has(path) ? path : undefined;
    if (path === edited) return undefined;
    const [row, ...rest] = path.slice(edited.length + 1).split('.');
    const moved = rows?.[Number(row)];
    if (moved !== undefined) return [edited, moved, ...rest].join('.');
    if (isNew) return undefined;
    const isSameRow = rows === undefined || !found.has(Number(row));
    return isSameRow && old.has(path) && old.get(path) === value ? path : undefined;
  };
  const origins = new Map<string, string | undefined>();
  const leavesAfter = await inTurns(leafPathSteps(after));
  await inTurns(eachInSteps(leavesAfter, (leaf) => void origins.set(leaf.path, originOf(leaf))));
  return origins;
}

/** The previous index of each row of a list, by equal rows; undefined if one of the values is no list. */
async function rowOrigins(before: unknown, after: unknown): Promise<(number | undefined)[] | undefined> {
  if (!Array.isArray(before) || !Array.isArray(after)) return undefined;
  const free = new Map<string, number[]>();
  const note = (index: number): void => {
    const row = JSON.stringify(before[index]);
    const equal = free.get(row);
    if (equal) equal.push(index);
    else free.set(row, [index]);
  };
  // From the last one, so that the first of equal rows is taken first.
  await inTurns(eachInSteps([...before.keys()].toReversed(), note));
  const origins: (number | undefined)[] = [];
  await inTurns(eachInSteps(after, (row) => void origins.push(free.get(JSON.stringify(row))?.pop())));
  return origins;
}

function valueAt(result: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined,
      result,
    );
}
