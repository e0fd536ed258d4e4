import {
  withExactNumbers,
  type Document,
  type FailedCheck,
  type Grounding,
  type Prompt,
  type ResponseFormat,
  type SeenValues,
  type ValidationError,
} from '@docwright/contract';
import { agreesWithEmbedded, embeddedValues, type EmbeddedValues, type Page } from '@docwright/documents';
import {
  expectedSteps,
  labelSteps,
  leafPathSteps,
  observeSteps,
  PageLabels,
  runChecks,
  type LeafPath,
  type ParsedCheck,
  type ObservedIssue,
  type StoredSignals,
} from '@docwright/review';
import { eachInSteps, eachOfRecord, inTurns } from '../../platform/long-values/in-turns.ts';

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
  issues?: ObservedIssue[];
  /** The values of a second read that differ. */
  second_values?: Record<string, unknown>;
  /** The machine-readable data for mapped values. */
  embedded_values?: EmbeddedValues['values'];
  decisions: Record<string, ValueDecision>;
  /** Paths of values that a user confirmed, alone or with the whole result, without having seen them. */
  unseen?: string[];
}

/** A result when it is written. */
export interface WrittenResult {
  result: unknown;
  grounding: Record<string, Grounding>;
  validation_errors: readonly ValidationError[];
}

interface ResultEvidence {
  pages: readonly Page[];
  checks: readonly ParsedCheck[];
  issues?: readonly ObservedIssue[];
  secondValues?: Record<string, unknown>;
  /** The text of the pages and the schema, for labels of empty values. */
  text?: string;
  schema?: Record<string, unknown>;
  /** The model's doubt about each value by path, 0 to 1. */
  doubts?: Record<string, number>;
  /** Whether a part of a page could not be read. */
  hasUnread?: boolean;
  /** The machine-readable data of the document. */
  embedded?: EmbeddedValues;
}

/** The facts of a model's answer, collected between turns of other work, as all facts are. */
export async function factsOfAnswer(written: WrittenResult, evidence: ResultEvidence): Promise<ReviewFacts> {
  const { pages, checks, issues = [], secondValues, text = '', schema, doubts, hasUnread = false } = evidence;
  const { values: embedded_values = {}, shortLists = [] } = evidence.embedded ?? {};
  const missing = shortLists.map((path) => ({ code: 'rows_missing', path }));
  const failed_checks = failedChecks(checks, written.result);
  const labels = await inTurns(PageLabels.inSteps(text));
  const steps = observeSteps({
    ...written,
    pages,
    validationErrors: written.validation_errors,
    failedChecks: failed_checks,
    issues: [...issues, ...missing],
    embedded: await verdicts(written, embedded_values),
    expected: await inTurns(expectedSteps(written.result, labels, schema)),
    labels: await inTurns(labelSteps(written.result, labels, schema)),
    ...(secondValues && { differing: Object.keys(secondValues) }),
    ...(doubts && { doubts }),
    hasUnread,
  });
  return {
    signals: await inTurns(steps),
    failed_checks,
    ...(issues.length > 0 && { issues: [...issues] }),
    ...(secondValues && Object.keys(secondValues).length > 0 && { second_values: secondValues }),
    ...(Object.keys(embedded_values).length > 0 && { embedded_values }),
    decisions: {},
  };
}

/**
 * The facts after a user has verified the whole result, or has withdrawn that. Values that were neither decided nor seen
 * are marked as unseen. An unverified result is open again: earlier decisions about single values are dropped.
 */
export async function factsOfVerification(
  former: ReviewFacts,
  { result, is_verified }: { result: unknown; is_verified: boolean },
  isVerified: boolean,
  { seen = false, seen_paths = [] }: SeenValues = {},
): Promise<ReviewFacts> {
  const { unseen: formerUnseen = [], ...facts } = former;
  if (!isVerified) return { ...facts, decisions: {} };
  if (seen) return facts;
  const shown = new Set(seen_paths);
  const wasUnseen = new Set(formerUnseen);
  // Verifying again makes nothing unseen.
  if (!is_verified) {
    const note = (path: string) => former.decisions[path] === undefined && wasUnseen.add(path);
    await inTurns(eachInSteps(await valuePaths(result, former), note));
  }
  const unseen = [...wasUnseen].filter((path) => !shown.has(path));
  return { ...facts, ...(unseen.length > 0 && { unseen }) };
}

/** The facts of a result without stored ones, from its grounding. */
export async function factsWithout(written: WrittenResult): Promise<ReviewFacts> {
  return await factsOfAnswer(written, { pages: [], checks: [] });
}

/** Whether users decided about every value, so that the result is verified. */
export async function isDecided(result: unknown, facts: ReviewFacts): Promise<boolean> {
  const paths = await valuePaths(result, facts);
  const isOpen = paths.some((path) => facts.decisions[path] === undefined);
  return !isOpen && paths.length > 0 && hasLeaf(result);
}

function hasLeaf(value: unknown): boolean {
  return typeof value !== 'object' || value === null || Object.values(value).some(hasLeaf);
}

/** The values that users decide about: the leaves of the result, and empty lists with missing rows. */
async function valuePaths(result: unknown, { signals }: Pick<ReviewFacts, 'signals'>): Promise<string[]> {
  const paths = (await inTurns(leafPathSteps(result))).map(({ path }) => path);
  const noteMissing = (path: string): void => {
    if (signals[path]?.rowMissing) paths.push(path);
  };
  await inTurns(eachOfRecord(signals, noteMissing));
  return paths;
}

export function failedChecks(checks: readonly ParsedCheck[], result: unknown): FailedCheck[] {
  return runChecks(checks, result).failed.map(({ fields, ...failed }) => ({ ...failed, fields: [...fields] }));
}

/** The machine-readable data for the fields that the prompt maps. */
export function embeddedIn(
  { machine_data = [] }: Pick<Document, 'machine_data'>,
  { machine_map = [] }: Pick<Prompt, 'machine_map'>,
  written: Pick<WrittenResult, 'result' | 'grounding'>,
  format: ResponseFormat | undefined,
): EmbeddedValues {
  const result = machine_map.length === 0 ? written.result : withExactNumbers(written);
  return embeddedValues({ machineData: machine_data, map: machine_map, result, schema: format?.json_schema.schema });
}

/** Whether each value agrees with what the document says for machines. */
export async function verdicts(
  written: Pick<WrittenResult, 'result' | 'grounding'>,
  embedded: EmbeddedValues['values'],
): Promise<Record<string, 'agrees' | 'differs'>> {
  const found: Record<string, 'agrees' | 'differs'> = {};
  if (Object.keys(embedded).length === 0) return found;
  const judge = ({ path, value }: LeafPath): void => {
    if (Object.hasOwn(embedded, path)) {
      found[path] = agreesWithEmbedded(value, embedded[path] ?? null) ? 'agrees' : 'differs';
    }
  };
  await inTurns(eachInSteps(await inTurns(leafPathSteps(withExactNumbers(written))), judge));
  return found;
}
