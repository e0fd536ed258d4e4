import { DomainError, withExactNumbers, type Extraction, type VersionAuthor } from '@docwright/contract';
import { leafPaths, type ParsedCheck } from '@docwright/review';
import type { WriteOrigin } from '../../turn-writes/write-origin.ts';
import { editResult, type ResultValidator } from './rules/result-rules.ts';
import { factsOfEdit, type ReviewFacts, type ValueDecision } from '../value-risk/index.ts';
import type { ExtractionRepository } from './records/extraction-repository.ts';

interface CarryOverDependencies {
  extractions: Pick<ExtractionRepository, 'list' | 'withFacts' | 'edit' | 'decide'>;
  editTools: (extraction: Extraction) => Promise<{ validate: ResultValidator; checks: ParsedCheck[] }>;
}

/** How many results of a document are searched for the one that a user has corrected or verified. */
const maxSearched = 100;

/**
 * Carries what a user has decided in the newest result of another revision of the prompt over to the first result of this
 * one: an extension of the schema must neither lose the user's work nor ask for it again. Values that the user gave replace
 * those of the model, with their places; a value that the user has seen and found right stays confirmed where the model
 * read it again. Values whose field is gone, that do not fit, or belong to a list of another length, stay as the model read
 * them. Undefined without such a value.
 */
export async function carryOver(
  { extractions, editTools }: CarryOverDependencies,
  saved: Extraction,
  author: VersionAuthor,
  origin: WriteOrigin | undefined,
): Promise<Extraction | undefined> {
  const { extractions: all } = await extractions.list(saved.document_id, { skip: 0, limit: maxSearched });
  const decided = all
    .filter(({ prompt_id, prompt_revid, is_edited, is_verified }) => {
      return (is_edited || is_verified) && prompt_id === saved.prompt_id && prompt_revid !== saved.prompt_revid;
    })
    .toSorted((one, other) => other.created_at.localeCompare(one.created_at))[0];
  const former = decided && (await extractions.withFacts(decided.document_id, decided.prompt_revid));
  const written = await extractions.withFacts(saved.document_id, saved.prompt_revid);
  if (!former || written?.extraction.version !== saved.version) return undefined;
  const values = new Map(leafPaths(withExactNumbers(former.extraction)).map(({ path, value }) => [path, value]));
  const read = new Map(leafPaths(withExactNumbers(saved)).map(({ path, value }) => [path, value]));
  const hasPlace = (path: string) =>
    values.has(path) && read.has(path) && hasSameRows(former.extraction.result, saved.result, path);
  const { validate, checks } = await editTools(saved);
  let { extraction, facts } = written;
  const carried: string[] = [];
  const confirmed: Record<string, ValueDecision> = {};
  for (const [path, decision] of seenDecisions(former)) {
    if (!hasPlace(path)) continue;
    const value = values.get(path);
    if (read.get(path) === value) {
      confirmed[path] = { ...decision, state: 'confirmed' };
      continue;
    }
    if (decision.state !== 'corrected') continue;
    try {
      const { raw: _raw, ...edited } = await editResult(extraction, { path, value }, validate);
      const { [path]: _read, ...others } = extraction.grounding;
      const place = former.extraction.grounding[path];
      const next = { ...edited, grounding: { ...others, ...(place && { [path]: place }) } };
      facts = await factsOfEdit(facts, extraction, { ...next, path }, checks, decision);
      extraction = { ...extraction, ...next };
      carried.push(path);
    } catch (error) {
      // The value does not fit the new schema.
      if (!(error instanceof DomainError)) throw error;
    }
  }
  if (carried.length === 0 && Object.keys(confirmed).length === 0) return undefined;
  const own = origin && { ...origin, call_id: `${origin.call_id}-carried` };
  const withConfirmed: ReviewFacts = { ...facts, decisions: { ...facts.decisions, ...confirmed } };
  if (carried.length === 0) {
    return await extractions.decide(saved, saved.version, { facts: withConfirmed, is_verified: false }, author, own);
  }
  const { result, grounding, validation_errors } = extraction;
  const edit = { result, grounding, validation_errors, facts: withConfirmed };
  const stored = await extractions.edit(saved, saved.version, edit, author, own);
  return stored && { ...stored, carried_over: carried };
}

/** The decisions about values that a user has seen, alone or by verifying the result. */
function seenDecisions({
  extraction: { result, is_verified },
  facts,
}: {
  extraction: Extraction;
  facts: ReviewFacts;
}): [path: string, decision: ValueDecision][] {
  const unseen = new Set(facts.unseen);
  const byVerifying: ValueDecision = { state: 'confirmed', at: new Date().toISOString() };
  return leafPaths(result).flatMap(({ path }) => {
    const decision = facts.decisions[path] ?? (is_verified ? byVerifying : undefined);
    return decision === undefined || unseen.has(path) ? [] : [[path, decision]];
  });
}

/** Whether the lists above a value have the same number of rows: otherwise its index may name another row. */
function hasSameRows(former: unknown, now: unknown, path: string): boolean {
  let [before, after] = [former, now] as [unknown, unknown];
  for (const key of path.split('.')) {
    if (Array.isArray(before) !== Array.isArray(after)) return false;
    if (Array.isArray(before) && Array.isArray(after) && before.length !== after.length) return false;
    before = (before as Record<string, unknown> | null)?.[key];
    after = (after as Record<string, unknown> | null)?.[key];
  }
  return true;
}
