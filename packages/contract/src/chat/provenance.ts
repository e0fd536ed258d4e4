import { z } from 'zod';

/**
 * Where the content of an argument came from: said by the user, an id or a name that a list or a get tool returned,
 * contained in a document, or none of these.
 */
export const provenanceSource = z.enum(['person', 'catalog', 'document', 'model']);
export type ProvenanceSource = z.infer<typeof provenanceSource>;

/** The sources of each argument of a write, by its dotted path: `tag_ids` has those of all its items, `tag_ids.0` its own. */
export const provenance = z.record(z.string(), z.array(provenanceSource));
export type Provenance = z.infer<typeof provenance>;

/** Where in a document the content of an argument was found. */
export const passage = z.object({
  /** The dotted path of the argument. */
  path: z.string(),
  found_in: z.enum(['page', 'file_name', 'metadata', 'extraction', 'tool_result']),
  page_num: z.number().int().optional(),
  /** The words around it; the document's words are data. */
  text: z.string(),
  /** The content as the document spells it. */
  quote: z.string(),
});
export type Passage = z.infer<typeof passage>;

/** What is known of the origin of a call's arguments. Present on writes. */
export const callProvenance = {
  provenance: provenance.optional(),
  /** Passages of arguments that came out of a document, at most 20. */
  passages: z.array(passage).optional(),
  /** Paths of arguments that choose what the call works on and came out of a document: no automatic approval covers them. */
  chosen_by_document: z.array(z.string()).optional(),
};
