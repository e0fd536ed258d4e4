import type { FailedCheck } from '../checks/run-checks.ts';
import type { ValueSignals } from '../risk/value-signals.ts';
import { eachInSteps, type Steps } from '../steps/steps.ts';
import { pathsOfInventedRows, placeKey, type ValuePlace } from './invented-rows.ts';
import { fieldOf, leafPathSteps, type LeafPath } from './paths.ts';
import { readingOfPages, type PageWords } from './reading-of-values.ts';

/** An issue of an extraction. Other codes than those of the contract are ignored. */
export interface ObservedIssue {
  readonly code: string;
  /** The path of a field, list or row. The issue applies to everything below it; `''` is the whole result. */
  readonly path: string;
}

/** A new result, with everything that is known about its values. */
export interface Observation {
  readonly result: unknown;
  /** By path: `line_items.0.amount`. */
  readonly grounding: Readonly<Record<string, ValuePlace>>;
  readonly pages: readonly PageWords[];
  readonly validationErrors: readonly { readonly path: string }[];
  readonly failedChecks: readonly FailedCheck[];
  readonly issues?: readonly ObservedIssue[];
  /** Paths of values that differ in a second extraction. */
  readonly differing?: Iterable<string>;
  /** How much speaks for each empty value that the document seems to have, by path, from `expectedSteps`. */
  readonly expected?: Readonly<Record<string, number>>;
  /** By path: whether the label beside a value is that of its field, from `labelSteps`. */
  readonly labels?: Readonly<Record<string, 'own' | 'other'>>;
  /** By path: 1 minus the lowest probability of the value's tokens, 0 to 1. */
  readonly doubts?: Readonly<Record<string, number>>;
  /** Whether a part of a page could not be read. */
  readonly hasUnread?: boolean;
  /** By path: whether the document says the same for machines. */
  readonly embedded?: Readonly<Record<string, 'agrees' | 'differs'>>;
}

/** The suspicious signals of a value, as they are stored. */
export type StoredSignals = Omit<ValueSignals, 'isEmpty' | 'unusualness'>;

/**
 * Collects the suspicious signals of each value of a result, by path. A value without any has no entry.
 *
 * @example
 * ```ts
 * import { observeSteps, finish } from '@docwright/review';
 *
 * finish(observeSteps({
 *   result: { total: 3 },
 *   grounding: { total: { match: 'none', boxes: [] } },
 *   pages: [],
 *   validationErrors: [],
 *   failedChecks: [],
 * })); // { total: { match: 'none' } }
 * ```
 */
export function* observeSteps(observation: Observation): Generator<void, Record<string, StoredSignals>, undefined> {
  const { grounding, validationErrors, failedChecks, issues = [], doubts = {}, embedded = {} } = observation;
  const reading = yield* readingOfPages(observation.pages);
  const all = yield* leafPathSteps(observation.result);
  const sharedPaths = yield* pathsWithSharedPlace(grounding);
  const differing = new Set(observation.differing);
  const { expected = {}, labels = {} } = observation;
  const inventedPaths = yield* pathsOfInventedRows(all, grounding);
  const leaves = reviewedLeaves(all, issues);
  yield;
  const missingRowPaths = pathsOfMissingRows(leaves, issues);
  const refusedPaths = yield* pathsAround(validationErrors);
  const codesAt = Map.groupBy(issues, ({ path }) => path);
  const severities = new Map<string, FailedCheck['severity'] | undefined>();
  const severityAt = (field: string) => {
    if (!severities.has(field)) severities.set(field, severityOf(field, failedChecks));
    return severities.get(field);
  };
  const observed: Record<string, StoredSignals> = {};
  yield* eachInSteps(leaves, ({ path, field, value }) => {
    const place = grounding[path];
    const failedCheck = severityAt(field);
    const doubt = Math.max(doubts[path] ?? 0, place?.uncertain ? 1 : 0);
    const said = embedded[path];
    const signals: StoredSignals = {
      ...(place !== undefined && place.match !== 'exact' && { match: place.match }),
      ...(inventedPaths.has(path) && { match: 'none' as const }),
      ...(expected[path] !== undefined && { expectation: expected[path] }),
      ...(labels[path] !== undefined && { label: labels[path] }),
      // A name or a currency has one meaning wherever it is repeated; a repeated number can have several.
      ...(place?.places !== undefined && place.places > 1 && /\d/u.test(String(value)) && { places: place.places }),
      ...(sharedPaths.has(path) && { sharesPlace: true }),
      ...(place !== undefined && reading.at(place.boxes)),
      ...(reading.poorly !== undefined && (value === null || value === '') && { misreading: reading.poorly }),
      ...(refusedPaths.has(path) && { hasSchemaError: true }),
      ...(failedCheck !== undefined && { failedCheck }),
      ...issueSignals(path, codesAt, missingRowPaths),
      ...(differing.has(path) && { differsFromSecondRead: true }),
      ...(doubt > 0 && { modelDoubt: doubt }),
      ...(observation.hasUnread && isMissing(value, place, inventedPaths.has(path)) && { nearUnread: true }),
      ...(said !== undefined && { embedded: said }),
    };
    if (Object.keys(signals).length > 0) observed[path] = signals;
  });
  return observed;
}

/** The paths of errors, and of everything around them. */
function* pathsAround(errors: Observation['validationErrors']): Steps<Set<string>> {
  const paths = new Set<string>();
  yield* eachInSteps(errors, ({ path }) => {
    for (const around of [path, ...ancestorsOf(path)]) paths.add(around);
  });
  return paths;
}

/** The paths above a path, without the whole result. */
function ancestorsOf(path: string): string[] {
  const ancestors: string[] = [];
  for (let at = path.lastIndexOf('.'); at > 0; at = path.lastIndexOf('.', at - 1)) ancestors.push(path.slice(0, at));
  return ancestors;
}

/** Whether a value is empty or on no page. */
function isMissing(value: LeafPath['value'], place: ValuePlace | undefined, isInvented: boolean): boolean {
  return value === null || value === '' || place?.match === 'none' || isInvented;
}

/** The values that a user can decide: the leaves of a result, and empty lists with missing rows. */
function reviewedLeaves(leaves: readonly LeafPath[], issues: readonly ObservedIssue[]): LeafPath[] {
  const missing = issues
    .filter(({ code, path }) => code === 'rows_missing' && path !== '')
    .filter(({ path }) => !leaves.some((leaf) => isAtOrBelow(leaf.path, path)))
    .map(({ path }): LeafPath => ({ path, field: fieldOf(path), value: null }));
  return [...leaves, ...missing];
}

/**
 * Completes stored signals with those of the value itself.
 *
 * @param stored undefined for a value without suspicious signals
 * @param unusualness from `unusualness`, 0 to 1
 * @example
 * ```ts
 * import { signalsOf } from '@docwright/review';
 *
 * signalsOf({ value: '' }, undefined, 0); // { isEmpty: true, match: 'exact', unusualness: 0 }
 * ```
 */
export function signalsOf(
  { value }: Pick<LeafPath, 'value'>,
  stored: StoredSignals | undefined,
  unusualness: number,
): ValueSignals {
  return { isEmpty: value === null || value === '', match: 'exact', ...stored, unusualness };
}

/**
 * Whether a path is `ancestor` itself or below it. `''` is the whole result.
 *
 * @example
 * ```ts
 * import { isAtOrBelow } from '@docwright/review';
 *
 * isAtOrBelow('rows.0.amount', 'rows'); // true
 * isAtOrBelow('rows_total', 'rows'); // false
 * ```
 */
export function isAtOrBelow(path: string, ancestor: string): boolean {
  return ancestor === '' || path === ancestor || path.startsWith(`${ancestor}.`);
}

/**
 * Missing rows concern the list, not each of its values. Only the first value of the last row is marked, where a row would
 * be added. If rows of the whole result are missing, every value is marked.
 */
function pathsOfMissingRows(leaves: readonly LeafPath[], issues: readonly ObservedIssue[]): ReadonlySet<string> {
  const marked = new Set<string>();
  for (const { code, path: list } of issues) {
    if (code !== 'rows_missing') continue;
    const inside = leaves.filter(({ path }) => isAtOrBelow(path, list));
    const rowOf = ({ path }: LeafPath) => (list === '' ? '' : path.slice(list.length + 1).split('.')[0]);
    const last = inside.at(-1);
    const first = last && inside.find((leaf) => rowOf(leaf) === rowOf(last));
    for (const leaf of list === '' ? inside : first === undefined ? [] : [first]) marked.add(leaf.path);
  }
  return marked;
}

function issueSignals(
  path: string,
  issuesAt: ReadonlyMap<string, readonly ObservedIssue[]>,
  missingRowPaths: ReadonlySet<string>,
): StoredSignals {
  if (issuesAt.size === 0) return {};
  const codes = new Set(
    [path, ...ancestorsOf(path), ''].flatMap((at) => issuesAt.get(at) ?? []).map(({ code }) => code),
  );
  return {
    ...((missingRowPaths.has(path) || codes.has('row_missing')) && { rowMissing: true }),
    ...((codes.has('rows_duplicate') || codes.has('row_duplicate')) && { rowDuplicate: true }),
    ...((codes.has('text_cut') || codes.has('piece_failed')) && { textCut: true }),
    ...(codes.has('conflicting_values') && { hasConflict: true }),
  };
}

/** The highest severity of the failed checks on a field. */
function severityOf(field: string, failedChecks: readonly FailedCheck[]): 'error' | 'warning' | undefined {
  const failed = failedChecks.filter(({ fields }) => fields.some((named) => isFieldOf(field, named)));
  return failed.some(({ severity }) => severity === 'error') ? 'error' : failed[0]?.severity;
}

/**
 * Whether a check on the field `named` applies to `field`: a check on a list or an object applies to everything in it.
 *
 * @example
 * ```ts
 * import { isFieldOf } from '@docwright/review';
 *
 * isFieldOf('line_items[].amount', 'line_items'); // true
 * isFieldOf('line_items_total', 'line_items'); // false
 * ```
 */
export function isFieldOf(field: string, named: string): boolean {
  return field === named || field.startsWith(`${named}.`) || field.startsWith(`${named}[]`);
}

/** Paths of values with the same place as another value. */
function* pathsWithSharedPlace(grounding: Observation['grounding']): Steps<ReadonlySet<string>> {
  const firstAt = new Map<string, string>();
  const shared = new Set<string>();
  yield* eachInSteps(Object.keys(grounding), (path) => {
    const key = placeKey(grounding[path]);
    if (key === undefined) return;
    const first = firstAt.get(key);
    if (first === undefined) firstAt.set(key, path);
    else shared.add(first).add(path);
  });
  return shared;
}
