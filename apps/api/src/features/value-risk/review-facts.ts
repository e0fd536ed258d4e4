import type {
  Document,
  FailedCheck,
  Grounding,
  Prompt,
  ResponseFormat,
  SeenValues,
  ValidationError,
} from '@docwright/contract';
import { agreesWithEmbedded, embeddedValues, type EmbeddedValues, type Page } from '@docwright/documents';
import {
  expectedValues,
  isAtOrBelow,
  labelsOfValues,
  PageLabels,
  leafPaths,
  observeValues,
  runChecks,
  type LeafPath,
  type ParsedCheck,
  type ResultIssue,
  type StoredSignals,
} from '@docwright/review';

export interface ValueDecision {
  state: 'confirmed' | 'corrected';
  /** Absent for a value that a user found right with its whole result in another version of the prompt: the audit log names the user. */
  user_id?: string;
  at: string;
}

/** The stored data for the review of a result, by path. */
export interface ReviewFacts {
  signals: Record<string, StoredSignals>;
  /** The signals of the model's answer, if the result was edited since. */
  original_signals?: Record<string, StoredSignals>;
  failed_checks: FailedCheck[];
  issues?: ResultIssue[];
  /** The values of a second read that differ. */
  second_values?: Record<string, unknown>;
  /** What the document says for machines about mapped values. */
  embedded_values?: EmbeddedValues['values'];
  decisions: Record<string, ValueDecision>;
  /** Paths of values that a user confirmed, alone or with the whole result, without having seen them. */
  unseen?: string[];
}

/** A result when it is written. */
interface WrittenResult {
  result: unknown;
  grounding: Record<string, Grounding>;
  validation_errors: readonly ValidationError[];
}

interface ResultEvidence {
  pages: readonly Page[];
  checks: readonly ParsedCheck[];
  issues?: readonly ResultIssue[];
  secondValues?: Record<string, unknown>;
  /** The text of the pages and the schema, for labels of empty values. */
  text?: string;
  schema?: Record<string, unknown>;
  /** The model's doubt about each value by path, 0 to 1. */
  doubts?: Record<string, number>;
  /** Whether a part of a page could not be read. */
  hasUnread?: boolean;
  /** What the document says for machines. */
  embedded?: EmbeddedValues;
}

/** The facts of a model's answer. */
export function factsOfAnswer(written: WrittenResult, evidence: ResultEvidence): ReviewFacts {
  const { pages, checks, issues = [], secondValues, text = '', schema, doubts, hasUnread = false } = evidence;
  const { values: embedded_values = {}, shortLists = [] } = evidence.embedded ?? {};
  const missing = shortLists.map((path) => ({ code: 'rows_missing', path }));
  const failed_checks = failedChecks(checks, written.result);
  const labels = new PageLabels(text);
  return {
    signals: observeValues({
      ...written,
      pages,
      validationErrors: written.validation_errors,
      failedChecks: failed_checks,
      issues: [...issues, ...missing],
      embedded: verdicts(written.result, embedded_values),
      expected: expectedValues(written.result, labels, schema),
      labels: labelsOfValues(written.result, labels, schema),
      ...(secondValues && { differing: Object.keys(secondValues) }),
      ...(doubts && { doubts }),
      hasUnread,
    }),
    failed_checks,
    ...(issues.length > 0 && { issues: [...issues] }),
    ...(secondValues && Object.keys(secondValues).length > 0 && { second_values: secondValues }),
    ...(Object.keys(embedded_values).length > 0 && { embedded_values }),
    decisions: {},
  };
}

/**
 * The facts after an edit at `path`. Grounding and checks are evaluated again. Signals of the run (confidence of the
 * recognition, labels, second read, doubts, missing rows) stay with the unchanged values. With `decision`, the edit also decides
 * about the values that it changes.
 */
export function factsOfEdit(
  former: ReviewFacts,
  before: WrittenResult,
  after: WrittenResult & { path: string },
  checks: readonly ParsedCheck[],
  decision: ValueDecision | undefined,
): ReviewFacts {
  const origins = originsOf(before.result, after.result, after.path);
  const failed_checks = failedChecks(checks, after.result);
  const embedded_values = embeddedAfter(former.embedded_values ?? {}, origins, before, after);
  const observed = observeValues({
    ...after,
    pages: [],
    validationErrors: after.validation_errors,
    failedChecks: failed_checks,
    embedded: verdicts(after.result, embedded_values),
  });
  const decisions: Record<string, ValueDecision> = {};
  for (const [path, origin] of origins) {
    const current = origin === undefined ? decision : former.decisions[origin];
    if (current !== undefined) decisions[path] = current;
  }
  // An empty list has no values: the decision is stored for the list itself.
  if (decision !== undefined && !origins.has(after.path)) decisions[after.path] = decision;
  const second = former.second_values ?? {};
  const second_values = mapped(origins, (origin) => second[origin]);
  const wasUnseen = new Set(former.unseen);
  const unseen = [...origins].flatMap(([path, origin]) =>
    origin !== undefined && wasUnseen.has(origin) ? [path] : [],
  );
  return {
    signals: { ...observed, ...mapped(origins, (origin, path) => runSignals(former.signals[origin], observed[path])) },
    original_signals: former.original_signals ?? former.signals,
    failed_checks,
    ...(former.issues && { issues: former.issues }),
    ...(Object.keys(second_values).length > 0 && { second_values }),
    ...(Object.keys(embedded_values).length > 0 && { embedded_values }),
    decisions,
    ...(unseen.length > 0 && { unseen }),
  };
}

/**
 * The facts after a user has verified the whole result, or has withdrawn that. Values that were neither decided nor seen
 * are marked as unseen. An unverified result is open again: earlier decisions about single values are dropped.
 */
export function factsOfVerification(
  former: ReviewFacts,
  { result, is_verified }: { result: unknown; is_verified: boolean },
  isVerified: boolean,
  { seen = false, seen_paths = [] }: SeenValues = {},
): ReviewFacts {
  const { unseen: formerUnseen = [], ...facts } = former;
  if (!isVerified) return { ...facts, decisions: {} };
  if (seen) return facts;
  const shown = new Set(seen_paths);
  const wasUnseen = new Set(formerUnseen);
  // Verifying again makes nothing unseen.
  const undecided = is_verified
    ? []
    : valuePaths(result, former).filter((path) => former.decisions[path] === undefined);
  const unseen = [...new Set([...wasUnseen, ...undecided])].filter((path) => !shown.has(path));
  return { ...facts, ...(unseen.length > 0 && { unseen }) };
}

/** The stored facts; for results without facts, the facts from its grounding. */
export function factsOfStored(text: string | undefined, written: () => WrittenResult): ReviewFacts {
  if (text !== undefined && text !== '') return JSON.parse(text) as ReviewFacts;
  return factsOfAnswer(written(), { pages: [], checks: [] });
}

/** Whether users decided about every value, so that the result is verified. */
export function isDecided(result: unknown, facts: ReviewFacts): boolean {
  const isOpen = valuePaths(result, facts).some((path) => facts.decisions[path] === undefined);
  return !isOpen && leafPaths(result).length > 0;
}

/** The values that users decide about: the leaves of the result, and empty lists with missing rows. */
function valuePaths(result: unknown, { signals }: Pick<ReviewFacts, 'signals'>): string[] {
  const missing = Object.keys(signals).filter((path) => signals[path]?.rowMissing);
  return [...leafPaths(result).map(({ path }) => path), ...missing];
}

function failedChecks(checks: readonly ParsedCheck[], result: unknown): FailedCheck[] {
  return runChecks(checks, result).failed.map(({ fields, ...failed }) => ({ ...failed, fields: [...fields] }));
}

/** What the document says for machines about the fields that the prompt maps. */
export function embeddedIn(
  { machine_data = [] }: Pick<Document, 'machine_data'>,
  { machine_map = [] }: Pick<Prompt, 'machine_map'>,
  result: unknown,
  format: ResponseFormat | undefined,
): EmbeddedValues {
  return embeddedValues({ machineData: machine_data, map: machine_map, result, schema: format?.json_schema.schema });
}

/** Whether each value agrees with what the document says for machines. */
function verdicts(result: unknown, embedded: EmbeddedValues['values']): Record<string, 'agrees' | 'differs'> {
  const known = leafPaths(result).filter(({ path }) => Object.hasOwn(embedded, path));
  return Object.fromEntries(
    known.map(({ path, value }) => [path, agreesWithEmbedded(value, embedded[path] ?? null) ? 'agrees' : 'differs']),
  );
}

/** What the document says for machines stays with its row; a changed value keeps it if no row was added or removed. */
function embeddedAfter(
  embedded: EmbeddedValues['values'],
  origins: ReadonlyMap<string, string | undefined>,
  before: WrittenResult,
  after: WrittenResult & { path: string },
): EmbeddedValues['values'] {
  const rowsOf = ({ result }: WrittenResult) => {
    const value = valueAt(result, after.path);
    return Array.isArray(value) ? value.length : undefined;
  };
  const hasSameRows = rowsOf(before) === rowsOf(after);
  const kept = [...origins].flatMap(([path, origin]) => {
    const from = origin ?? (hasSameRows ? path : undefined);
    return from !== undefined && Object.hasOwn(embedded, from) ? [[path, embedded[from] ?? null] as const] : [];
  });
  return Object.fromEntries(kept);
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
] as const satisfies (keyof StoredSignals)[];

/** Adds the signals of the run. */
function runSignals(former: StoredSignals = {}, observed: StoredSignals = {}): StoredSignals | undefined {
  const ofRun = signalsOfRun.filter((name) => former[name] !== undefined && former[name] !== false);
  if (ofRun.length === 0) return undefined;
  return { ...observed, ...Object.fromEntries(ofRun.map((name) => [name, former[name]])) };
}

function mapped<Value>(
  origins: ReadonlyMap<string, string | undefined>,
  valueOf: (origin: string, path: string) => Value | undefined,
): Record<string, Value> {
  const found: Record<string, Value> = {};
  for (const [path, origin] of origins) {
    const value = origin === undefined ? undefined : valueOf(origin, path);
    if (value !== undefined) found[path] = value;
  }
  return found;
}

/** The previous path of each value of the new result; undefined for values that the edit changed. */
function originsOf(before: unknown, after: unknown, edited: string): Map<string, string | undefined> {
  const old = new Map(leafPaths(before).map((leaf) => [leaf.path, leaf.value]));
  const rows = rowOrigins(valueAt(before, edited), valueAt(after, edited));
  const originOf = ({ path, value }: LeafPath): string | undefined => {
    if (!isAtOrBelow(path, edited)) return old.has(path) ? path : undefined;
    if (path === edited) return undefined;
    const [row, ...rest] = path.slice(edited.length + 1).split('.');
    const moved = rows?.[Number(row)];
    if (moved !== undefined) return [edited, moved, ...rest].join('.');
    if (rows !== undefined && rows.every((origin) => origin === undefined)) return undefined;
    const isSameRow = rows === undefined || !rows.includes(Number(row));
    return isSameRow && old.has(path) && old.get(path) === value ? path : undefined;
  };
  return new Map(leafPaths(after).map((leaf) => [leaf.path, originOf(leaf)]));
}

/** The previous index of each row of a list, by equal rows; undefined if one of the values is no list. */
function rowOrigins(before: unknown, after: unknown): (number | undefined)[] | undefined {
  if (!Array.isArray(before) || !Array.isArray(after)) return undefined;
  const free = Map.groupBy(before.keys(), (index) => JSON.stringify(before[index]));
  return after.map((row) => free.get(JSON.stringify(row))?.shift());
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
