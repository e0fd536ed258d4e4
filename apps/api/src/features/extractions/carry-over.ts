import { DomainError, type Extraction, type VersionAuthor } from '@docwright/contract';
import { leafPaths, type ParsedCheck } from '@docwright/review';
import type { WriteOrigin } from '../../turn-writes/write-origin.ts';
import { editResult, type ResultValidator } from './rules/result-rules.ts';
import { factsOfEdit } from '../value-risk/index.ts';
import type { ExtractionRepository } from './records/extraction-repository.ts';

interface CarryOverDependencies {
  extractions: Pick<ExtractionRepository, 'list' | 'withFacts' | 'edit'>;
  editTools: (extraction: Extraction) => Promise<{ validate: ResultValidator; checks: ParsedCheck[] }>;
}

/** How many results of a document are searched for the one that a user has corrected. */
const maxSearched = 100;

/**
 * Carries the values that a user gave in the newest result of another revision of the prompt over to the first result of
 * this one, with their places and as that user's: an extension of the schema must not lose them. Values whose field is gone,
 * that do not fit, or belong to a list of another length, stay as the model read them. Undefined without such a value.
 */
export async function carryOver(
  { extractions, editTools }: CarryOverDependencies,
  saved: Extraction,
  author: VersionAuthor,
  origin: WriteOrigin | undefined,
): Promise<Extraction | undefined> {
  const { extractions: all } = await extractions.list(saved.document_id, { skip: 0, limit: maxSearched });
  const corrected = all
    .filter(({ prompt_id, prompt_revid, is_edited }) => {
      return is_edited && prompt_id === saved.prompt_id && prompt_revid !== saved.prompt_revid;
    })
    .toSorted((one, other) => other.created_at.localeCompare(one.created_at))[0];
  const former = corrected && (await extractions.withFacts(corrected.document_id, corrected.prompt_revid));
  const written = await extractions.withFacts(saved.document_id, saved.prompt_revid);
  if (!former || written?.extraction.version !== saved.version) return undefined;
  const given = Object.entries(former.facts.decisions).filter(([, { state }]) => state === 'corrected');
  if (given.length === 0) return undefined;
  const values = new Map(leafPaths(former.extraction.result).map(({ path, value }) => [path, value]));
  const read = new Map(leafPaths(saved.result).map(({ path, value }) => [path, value]));
  const { validate, checks } = await editTools(saved);
  let { extraction, facts } = written;
  const carried: string[] = [];
  for (const [path, decision] of given) {
    const value = values.get(path);
    if (value === undefined || !read.has(path) || read.get(path) === value) continue;
    if (!hasSameRows(former.extraction.result, saved.result, path)) continue;
    try {
      const edited = editResult(extraction, { path, value }, validate);
      const { [path]: _read, ...others } = extraction.grounding;
      const place = former.extraction.grounding[path];
      const next = { ...edited, grounding: { ...others, ...(place && { [path]: place }) } };
      facts = factsOfEdit(facts, extraction, { ...next, path }, checks, decision);
      extraction = { ...extraction, ...next };
      carried.push(path);
    } catch (error) {
      // The value does not fit the new schema.
      if (!(error instanceof DomainError)) throw error;
    }
  }
  if (carried.length === 0) return undefined;
  const { result, grounding, validation_errors } = extraction;
  const own = origin && { ...origin, call_id: `${origin.call_id}-carried` };
  const edit = { result, grounding, validation_errors, facts };
  const stored = await extractions.edit(saved, saved.version, edit, author, own);
  return stored && { ...stored, carried_over: carried };
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
