import { z } from 'zod';

/**
 * The source of an argument's content: `person`: the user's messages; `catalog`: an id or a name of the organization that a
 * tool returned; `document`: a document; `model`: none of these.
 */
export const provenanceSource = z.enum(['person', 'catalog', 'document', 'model']);
export type ProvenanceSource = z.infer<typeof provenanceSource>;

/** The sources of each argument of a write, by dotted path: `tag_ids` has the sources of all items, `tag_ids.0` its own. */
export const provenance = z.record(z.string(), z.array(provenanceSource));
export type Provenance = z.infer<typeof provenance>;

/** The place in a document where the content of an argument was found. */
export const passage = z.object({
  /** The dotted path of the argument. */
  path: z.string(),
  found_in: z.enum(['page', 'file_name', 'metadata', 'extraction', 'tool_result']),
  page_num: z.number().int().optional(),
  /** The surrounding text, which is untrusted data. */
  text: z.string(),
  /** The content as the document spells it. */
  quote: z.string(),
});
export type Passage = z.infer<typeof passage>;

/** The provenance of a call's arguments. Present on writes. */
export const callProvenance = {
  provenance: provenance.optional(),
  /** Passages of arguments that came from a document, at most 20. */
  passages: z.array(passage).optional(),
  /** Paths of arguments that choose the target of the call and come from a document. Automatic approval does not cover them. */
  chosen_by_document: z.array(z.string()).optional(),
};
