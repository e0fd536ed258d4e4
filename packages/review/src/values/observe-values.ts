import { fieldOf, leafPaths, type LeafPath } from '../paths.ts';
import type { FailedCheck } from '../checks/run-checks.ts';
import type { ValueSignals } from '../risk/value-signals.ts';

/** A rectangle in fractions 0 to 1 of the page. */
interface Box {
  readonly page_num: number;
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

interface Place {
  readonly match: 'exact' | 'normalized' | 'fuzzy' | 'none';
  readonly boxes: readonly Box[];
  readonly places?: number | undefined;
  /** The model said that it is not sure of the value. */
  readonly uncertain?: true | undefined;
}

interface PageWords {
  readonly page_num: number;
  readonly width: number;
  readonly height: number;
  /** In points; `confidence` 0 to 1 where the word was recognised from an image. */
  readonly words: readonly (Omit<Box, 'page_num'> & { readonly confidence?: number | undefined })[];
}

/** What a long document's extraction is not sure of. Codes that are no reason to look at a value are passed over. */
export interface ResultIssue {
  readonly code: string;
  /** Of a field, a list or a row; everything below it is meant. `''` means all of the result. */
  readonly path: string;
}

/** What the product knows when a result is written. */
export interface Observation {
  readonly result: unknown;
  /** Keyed by path. */
  readonly grounding: Readonly<Record<string, Place>>;
  readonly pages: readonly PageWords[];
  readonly validationErrors: readonly { readonly path: string }[];
  readonly failedChecks: readonly FailedCheck[];
  readonly issues?: readonly ResultIssue[];
  /** Paths at which a second read found something else. */
  readonly differing?: Iterable<string>;
  /** How much the model doubts a value, 0 to 1, by path: from the probabilities of its tokens. */
  readonly doubts?: Readonly<Record<string, number>>;
}

/** Signals as they are stored: what is unsuspicious is left out, and a value without any has no entry. */
export type StoredSignals = Omit<ValueSignals, 'isEmpty' | 'unusualness'>;

/**
 * What speaks against each value of a result, by path.
 *
 * @example
 * observeValues({ result: { total: 3 }, grounding: { total: { match: 'none', boxes: [] } }, pages: [],
 *   validationErrors: [], failedChecks: [] }); // { total: { match: 'none' } }
 */
export function observeValues(observation: Observation): Record<string, StoredSignals> {
  const { grounding, validationErrors, failedChecks, issues = [], doubts = {} } = observation;
  const confidenceAt = confidences(observation.pages);
  const shared = sharedPlaces(grounding);
  const differing = new Set(observation.differing);
  const checksOf = severityByField(failedChecks);
  const leaves = reviewedLeaves(observation.result, issues);
  const carriers = missingRowCarriers(leaves, issues);
  const observed: Record<string, StoredSignals> = {};
  for (const { path, field } of leaves) {
    const place = grounding[path];
    const ocrConfidence = place === undefined ? undefined : confidenceAt(place.boxes);
    const failedCheck = checksOf(field);
    const found = issueSignals(path, issues, carriers);
    const doubt = Math.max(doubts[path] ?? 0, place?.uncertain ? 1 : 0);
    const signals: StoredSignals = {
      ...(place !== undefined && place.match !== 'exact' && { match: place.match }),
      ...(place?.places !== undefined && place.places > 1 && { places: place.places }),
      ...(shared.has(path) && { sharesPlace: true }),
      ...(ocrConfidence !== undefined && ocrConfidence < 1 && { ocrConfidence }),
      ...(validationErrors.some((error) => isAtOrBelow(error.path, path)) && { hasSchemaError: true }),
      ...(failedCheck !== undefined && { failedCheck }),
      ...found,
      ...(differing.has(path) && { differsFromSecondRead: true }),
      ...(doubt > 0 && { modelDoubt: doubt }),
    };
    if (Object.keys(signals).length > 0) observed[path] = signals;
  }
  return observed;
}

/** The values of a result that a person can decide about: its leaves, and empty lists of which rows are said to be missing. */
function reviewedLeaves(result: unknown, issues: readonly ResultIssue[] = []): LeafPath[] {
  const leaves = leafPaths(result);
  const missing = issues
    .filter(({ code, path }) => code === 'rows_missing' && path !== '')
    .filter(({ path }) => !leaves.some((leaf) => isAtOrBelow(leaf.path, path)))
    .map(({ path }): LeafPath => ({ path, field: fieldOf(path), value: null }));
  return [...leaves, ...missing];
}

/** A stored entry with what it leaves out. */
export function signalsOf(
  { value }: Pick<LeafPath, 'value'>,
  stored: StoredSignals | undefined,
  unusualness: number,
): ValueSignals {
  return { isEmpty: value === null || value === '', match: 'exact', ...stored, unusualness };
}

export function isAtOrBelow(path: string, ancestor: string): boolean {
  return ancestor === '' || path === ancestor || path.startsWith(`${ancestor}.`);
}

/**
 * That rows are missing is a reason to look at the list, not at each of its values: the first value of its last row
 * carries it, where a row would be added. What is said of all of the result is carried by everything.
 */
function missingRowCarriers(leaves: readonly LeafPath[], issues: readonly ResultIssue[]): ReadonlySet<string> {
  const carriers = new Set<string>();
  for (const { code, path: list } of issues) {
    if (code !== 'rows_missing') continue;
    const inside = leaves.filter(({ path }) => isAtOrBelow(path, list));
    const rowOf = ({ path }: LeafPath) => (list === '' ? '' : path.slice(list.length + 1).split('.')[0]);
    const last = inside.at(-1);
    const first = last && inside.find((leaf) => rowOf(leaf) === rowOf(last));
    for (const leaf of list === '' ? inside : first === undefined ? [] : [first]) carriers.add(leaf.path);
  }
  return carriers;
}

function issueSignals(path: string, issues: readonly ResultIssue[], carriers: ReadonlySet<string>): StoredSignals {
  const codes = new Set(issues.filter((issue) => isAtOrBelow(path, issue.path)).map(({ code }) => code));
  return {
    ...((carriers.has(path) || codes.has('row_missing')) && { rowMissing: true }),
    ...((codes.has('rows_duplicate') || codes.has('row_duplicate')) && { rowDuplicate: true }),
    ...((codes.has('text_cut') || codes.has('piece_failed')) && { textCut: true }),
    ...(codes.has('conflicting_values') && { hasConflict: true }),
  };
}

function severityByField(failedChecks: readonly FailedCheck[]): (field: string) => 'error' | 'warning' | undefined {
  return (field) => {
    const naming = failedChecks.filter(({ fields }) => fields.some((named) => isFieldOf(field, named)));
    return naming.some(({ severity }) => severity === 'error') ? 'error' : naming[0]?.severity;
  };
}

/** A check that names a list or an object means everything in it. */
export function isFieldOf(field: string, named: string): boolean {
  return field === named || field.startsWith(`${named}.`) || field.startsWith(`${named}[]`);
}

/** Paths whose value was found at the very place of another field's value. */
function sharedPlaces(grounding: Observation['grounding']): Set<string> {
  const byPlace = new Map<string, string[]>();
  for (const [path, { boxes }] of Object.entries(grounding)) {
    const [first] = boxes;
    if (first === undefined) continue;
    const key = [first.page_num, first.x0, first.y0, first.x1, first.y1].map((part) => part.toFixed(4)).join(' ');
    const paths = byPlace.get(key);
    if (paths) paths.push(path);
    else byPlace.set(key, [path]);
  }
  return new Set([...byPlace.values()].filter((paths) => paths.length > 1).flat());
}

/** The lowest confidence of the words in a value's boxes; undefined on pages that nothing was recognised on. */
function confidences(pages: readonly PageWords[]): (boxes: readonly Box[]) => number | undefined {
  const recognised = new Map(
    pages
      .filter(({ words }) => words.some(({ confidence }) => confidence !== undefined))
      .map((page) => [page.page_num, page]),
  );
  return (boxes) => {
    let lowest: number | undefined;
    for (const box of boxes) {
      const page = recognised.get(box.page_num);
      if (page === undefined) continue;
      for (const { x0, y0, x1, y1, confidence } of page.words) {
        if (confidence === undefined) continue;
        const [x, y] = [(x0 + x1) / 2 / page.width, (y0 + y1) / 2 / page.height];
        if (x < box.x0 || x > box.x1 || y < box.y0 || y > box.y1) continue;
        lowest = Math.min(lowest ?? 1, confidence);
      }
    }
    return lowest;
  };
}
