import {
  DomainError,
  withDigits,
  type DrawnBox,
  type Extraction,
  type Grounding,
  type ReviewDecision,
  type ReviewOutcome,
  type ValidationError,
} from '@docwright/contract';
import type { LeafPath, ParsedCheck } from '@docwright/review';
import { isSameJson } from '../../platform/long-values/same-json.ts';
import { factsOfCorrections, factsOfEdit } from './facts-of-edit.ts';
import { isDecided, type ReviewFacts, type ValueDecision } from './review-facts.ts';

/** A user's decision about one value. */
export type ValueDecisionInput = Pick<ReviewDecision, 'path' | 'version' | 'action' | 'value' | 'box' | 'seen'>;

/** A result after decisions: its facts, and whether it is verified. */
export interface DecidedResult {
  facts: ReviewFacts;
  is_verified: boolean;
  /** Set if values were corrected. */
  edited?: Pick<Extraction, 'result' | 'grounding' | 'validation_errors'>;
}

type Edited = Pick<Extraction, 'result' | 'validation_errors'> & {
  /** By path, the digits of numbers that `result` had to round. */
  raw?: Record<string, string>;
};

/** Sets one value of a result. Throws a DomainError if the value violates the schema or the path does not exist. */
type EditResult = (
  extraction: Pick<Extraction, 'result' | 'original_result' | 'validation_errors' | 'schema_revid'>,
  change: { path: string; value: unknown },
) => Promise<Edited>;

/** The functions to decide about one result. */
interface DecidingDependencies {
  find(): Promise<{ extraction: Extraction; facts: ReviewFacts } | undefined>;
  editTools(extraction: Extraction): Promise<{ edit: EditResult; checks: readonly ParsedCheck[] }>;
  /** Grounds the values of an edited result, in a record of its own. */
  ground: (
    extraction: Extraction,
    result: unknown,
    editedPaths: readonly string[],
    raw: Readonly<Record<string, string>>,
  ) => Promise<Extraction['grounding']>;
  /** Grounds a value in a box that a user drew; undefined if its words do not contain the value. */
  placeIn: (
    extraction: Extraction,
    value: unknown,
    box: DrawnBox,
    digits: string | undefined,
  ) => Promise<Grounding | undefined>;
  /** Undefined after a concurrent change. */
  save(extraction: Extraction, version: number, decided: DecidedResult): Promise<Extraction | undefined>;
  decision: (state: ValueDecision['state']) => ValueDecision;
}

interface DraftEdit {
  path: string;
  before: unknown;
  after: unknown;
  value: unknown;
  box: DrawnBox | undefined;
  /** `confirmed` for a correction that draws a box and does not change the value. */
  state: ValueDecision['state'];
}

interface Draft {
  result: unknown;
  validation_errors: ValidationError[];
  /** Paths of corrections, with the result that each makes. */
  edits: DraftEdit[];
  /** By path, the digits of corrected numbers that the result had to round. */
  raw: Record<string, string>;
  confirmed: { path: string; seen: boolean }[];
}

/** Decides about values of one result in one write; returns one outcome for each decision. */
export async function decideValues(
  dependencies: DecidingDependencies,
  key: { document_id: string; prompt_revid: string },
  decisions: readonly ValueDecisionInput[],
): Promise<ReviewOutcome[]> {
  const found = await dependencies.find();
  const outcome = (path: string, rest: Omit<ReviewOutcome, 'document_id' | 'prompt_revid' | 'path'>) => ({
    ...key,
    path,
    ...rest,
  });
  if (found === undefined) return decisions.map(({ path }) => outcome(path, { status: 'not_found' }));
  const { extraction, facts } = found;
  const { edit, checks } = await dependencies.editTools(extraction);
  const { version } = extraction;
  const { result, validation_errors } = extraction;
  const draft: Draft = { result, validation_errors, edits: [], raw: {}, confirmed: [] };
  const outcomes: ReviewOutcome[] = [];
  for (const decision of decisions) {
    if (decision.version !== version) {
      outcomes.push(outcome(decision.path, { status: 'conflict', version }));
      continue;
    }
    const applied = await applyDecision(draft, extraction, facts, decision, edit);
    outcomes.push(outcome(decision.path, { version, ...applied }));
  }
  if (draft.edits.length === 0 && draft.confirmed.length === 0) return outcomes;
  const decided = await decidedResult(dependencies, found, draft, checks);
  const saved = await dependencies.save(extraction, version, decided);
  if (saved) {
    const { version: newVersion, is_verified } = saved;
    return outcomes.map((each) => (each.status === 'decided' ? { ...each, version: newVersion, is_verified } : each));
  }
  const present = (await dependencies.find())?.extraction.version;
  return outcomes.map((each) =>
    each.status === 'decided'
      ? outcome(each.path, { status: 'conflict', ...(present !== undefined && { version: present }) })
      : each,
  );
}

/** The value at a dotted path, such as `line_items.0.amount`; undefined if it does not exist. */
export function valueAtPath(result: unknown, path: string): unknown {
  let at = result;
  for (const key of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}

/** Whether a value stands at a path already; of a number that had to be rounded, also the text of its digits. */
export function isStanding(
  { result, grounding }: Pick<Extraction, 'result' | 'grounding'>,
  path: string,
  value: unknown,
): boolean {
  const standing = valueAtPath(result, path);
  return (
    isSameJson(standing, value) ||
    isSameJson(
      withDigits(standing, (at) => grounding[at]?.raw, path),
      value,
    )
  );
}

/** The value at a path; undefined for lists, objects and paths that do not exist. */
function leafAt(result: unknown, path: string): Pick<LeafPath, 'value'> | undefined {
  const at = valueAtPath(result, path);
  return at === undefined || (typeof at === 'object' && at !== null) ? undefined : { value: at as LeafPath['value'] };
}

function leavesBelow(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, below]) => leavesBelow(below, `${path}.${key}`));
}

/** Applies a decision to the draft, and returns its outcome. */
async function applyDecision(
  draft: Draft,
  { schema_revid, original_result, grounding }: Extraction,
  { signals }: ReviewFacts,
  { path, action, value, box, seen = false }: ValueDecisionInput,
  edit: EditResult,
): Promise<Pick<ReviewOutcome, 'status' | 'message'>> {
  const leaf = leafAt(draft.result, path);
  const isValue = leaf !== undefined || signals[path]?.rowMissing === true;
  const standing = valueAtPath(draft.result, path);
  const isSame =
    action === 'correct' && value !== undefined && isStanding({ result: draft.result, grounding }, path, value);
  if (action === 'confirm' || (isSame && box === undefined)) {
    if (isSame && !isValue) {
      draft.confirmed.push(...leavesBelow(value, path).map((leafPath) => ({ path: leafPath, seen: true })));
      return { status: 'decided' };
    }
    if (!isValue) return { status: 'not_found', message: `There is no value at "${path}".` };
    draft.confirmed.push({ path, seen: seen || action === 'correct' });
    return { status: 'decided' };
  }
  if (action === 'correct' && value === undefined) {
    return { status: 'invalid', message: 'A correction needs a value. To empty a field, clear it.' };
  }
  if (action === 'clear' && !isValue) return { status: 'not_found', message: `There is no value at "${path}".` };
  const before = {
    result: draft.result,
    original_result,
    validation_errors: draft.validation_errors,
    ...(schema_revid && { schema_revid }),
  };
  const outcome = await tryEdit(before, path, action === 'clear' ? [null, ''] : [value], edit);
  if (outcome.edited === undefined) return { status: outcome.status, message: outcome.message };
  const { edited } = outcome;
  if (action === 'clear' && isSameJson(standing, valueAtPath(edited.result, path))) {
    draft.confirmed.push({ path, seen: true });
    return { status: 'decided' };
  }
  const state = isSame ? 'confirmed' : 'corrected';
  const written = valueAtPath(edited.result, path);
  draft.edits.push({ path, before: draft.result, after: edited.result, value: written, box, state });
  Object.assign(draft.raw, edited.raw);
  draft.result = edited.result;
  draft.validation_errors = edited.validation_errors;
  return { status: 'decided' };
}

type EditAttempt = { edited: Edited } | { edited?: undefined; status: 'invalid' | 'not_found'; message: string };

/** Sets the first value that matches the schema: a non-null text is cleared to an empty one. */
async function tryEdit(
  before: Parameters<EditResult>[0],
  path: string,
  values: readonly unknown[],
  edit: EditResult,
): Promise<EditAttempt> {
  let failure: EditAttempt | undefined;
  for (const value of values) {
    try {
      return { edited: await edit(before, { path, value }) };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      failure ??= { status: error.code === 'unknown_path' ? 'not_found' : 'invalid', message: error.message };
    }
  }
  return failure ?? { status: 'invalid', message: 'There is no value to set.' };
}

async function decidedResult(
  { ground, placeIn, decision }: DecidingDependencies,
  { extraction, facts }: { extraction: Extraction; facts: ReviewFacts },
  { result, validation_errors, edits, raw, confirmed }: Draft,
  checks: readonly ParsedCheck[],
): Promise<DecidedResult> {
  let next = facts;
  if (edits.length > 0) {
    const paths = edits.map(({ path }) => path);
    const grounding = await ground(extraction, result, paths, raw);
    for (const { path, value, box } of edits) {
      const place = box && (await placeIn(extraction, value, box, grounding[path]?.raw));
      if (place) grounding[path] = place;
    }
    const places = { grounding, validation_errors };
    // Of single values, all together: each time, the facts of the whole result are collected.
    if (edits.every(({ path, before, after }) => leafAt(before, path) && leafAt(after, path))) {
      const decisions = new Map(edits.map(({ path, state }) => [path, decision(state)]));
      next = await factsOfCorrections(facts, { ...places, result }, checks, decisions);
    } else {
      for (const { path, before, after, state } of edits) {
        const written = { ...places, result: after, path };
        next = await factsOfEdit(next, { ...places, result: before }, written, checks, decision(state));
      }
    }
    const confirmedFacts = withConfirmed(next, confirmed, decision('confirmed'));
    const edited = { result, grounding, validation_errors };
    return { facts: confirmedFacts, edited, is_verified: await isDecided(result, confirmedFacts) };
  }
  const confirmedFacts = withConfirmed(next, confirmed, decision('confirmed'));
  return { facts: confirmedFacts, is_verified: extraction.is_verified || (await isDecided(result, confirmedFacts)) };
}

/** A corrected value stays corrected, even if the same request also confirms it. */
function withConfirmed(
  { unseen: formerUnseen, ...facts }: ReviewFacts,
  confirmed: Draft['confirmed'],
  decision: ValueDecision,
): ReviewFacts {
  const decisions = { ...facts.decisions };
  const unseen = new Set(formerUnseen);
  for (const { path, seen } of confirmed) {
    if (seen) unseen.delete(path);
    else if (decisions[path] === undefined) unseen.add(path);
    decisions[path] ??= decision;
  }
  return { ...facts, decisions, ...(unseen.size > 0 && { unseen: [...unseen] }) };
}
