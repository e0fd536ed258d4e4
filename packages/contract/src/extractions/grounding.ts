import { z } from 'zod';

/** A box in fractions, 0 to 1, of the page as displayed, from the top left corner. */
export const groundingBox = z.object({
  page_num: z.number().int(),
  x0: z.number(),
  y0: z.number(),
  x1: z.number(),
  y1: z.number(),
});

/**
 * The place of one value. `exact`: one best place, with the same text as the value. `normalized`: another notation, or
 * several places that fit equally well (`places`). `fuzzy`: a similar text. `none`: on no page.
 */
export const grounding = z.object({
  page_num: z.number().int().nullable(),
  quote: z.string().nullable(),
  boxes: z.array(groundingBox),
  match: z.enum(['exact', 'normalized', 'fuzzy', 'none']),
  /** Number of places that fit equally well, if there are several. */
  places: z.number().int().optional(),
  /** The value is not in the text of the pages; the model saw it in an image of a page. */
  seen_only: z.literal(true).optional(),
  /** The model marked the value as uncertain. */
  uncertain: z.literal(true).optional(),
  /** The digits of a number as the model wrote them, where `result` can hold only a rounded number. */
  raw: z.string().optional(),
  /** A user drew the place on the page. */
  drawn: z.literal(true).optional(),
});
export type Grounding = z.infer<typeof grounding>;

const share = z.number().min(0).max(1);
/** A box that a user draws on a page. */
export const drawnBox = z
  .strictObject({ page_num: z.number().int().min(1), x0: share, y0: share, x1: share, y1: share })
  .refine(({ x0, y0, x1, y1 }) => x0 < x1 && y0 < y1, { message: 'x0 and y0 must be less than x1 and y1' });
export type DrawnBox = z.infer<typeof drawnBox>;

/** The place of a value in a result, dotted with indexes: `line_items.0.amount`. */
export const fieldPath = z.string().min(1).max(1000);
