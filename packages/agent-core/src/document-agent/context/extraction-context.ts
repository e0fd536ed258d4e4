import type { Extraction } from '@docwright/contract';

/** What the agent keeps of an extraction between calls: the values and what is wrong with them, without the places. */
export type KeptExtraction = Pick<
  Extraction,
  | 'document_id'
  | 'prompt_revid'
  | 'prompt_id'
  | 'version'
  | 'result'
  | 'validation_errors'
  | 'is_edited'
  | 'is_verified'
> & { schema_revid?: string | undefined };

/** The part of an extraction that goes into the working state. */
export function keptExtraction(extraction: Extraction): KeptExtraction {
  const { document_id, prompt_revid, prompt_id, schema_revid, version, result, validation_errors } = extraction;
  const { is_edited, is_verified } = extraction;
  return {
    document_id,
    prompt_revid,
    prompt_id,
    ...(schema_revid !== undefined && { schema_revid }),
    version,
    result,
    validation_errors,
    is_edited,
    is_verified,
  };
}

/** An extraction as a tool's result: kept parts, and for each value its page and how surely it was found there. */
export function extractionForModel(extraction: Extraction): unknown {
  const grounding: Record<string, { page_num: number | null; match: string }> = {};
  for (const [path, { page_num, match }] of Object.entries(extraction.grounding)) grounding[path] = { page_num, match };
  return { ...keptExtraction(extraction), grounding };
}

/** A copy of a JSON value whose lists have at most `items` entries and whose texts at most `characters`; each cut says so in its place. */
export function shortenLongLists(value: unknown, items: number, characters = Infinity): unknown {
  if (Array.isArray(value)) {
    const kept = value.slice(0, items).map((entry) => shortenLongLists(entry, items, characters));
    return value.length > items ? [...kept, `[cut: ${value.length - items} more entries]`] : kept;
  }
  if (typeof value === 'string' && value.length > characters) {
    return `${value.slice(0, characters)}[cut: ${value.length - characters} more characters]`;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, shortenLongLists(entry, items, characters)]),
  );
}
