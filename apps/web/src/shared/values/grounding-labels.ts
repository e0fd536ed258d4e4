import type { Grounding } from '@docwright/contract';

export interface GroundingWords {
  band: 'sure' | 'near' | 'none';
  /** Short, beside the value. */
  short: string;
  /** The whole sentence. */
  long: string;
}

/** How well a value stands on the page, in words; undefined where there is no value to stand anywhere. */
export function groundingWords(grounding: Grounding | undefined): GroundingWords | undefined {
  if (!grounding) return undefined;
  const page = `p. ${grounding.page_num ?? 1}`;
  switch (grounding.match) {
    case 'exact':
      return { band: 'sure', short: page, long: `Found on ${page}, exactly as written.` };
    case 'normalized':
      return { band: 'sure', short: page, long: `Found on ${page}, written differently: “${grounding.quote ?? ''}”.` };
    case 'fuzzy':
      return {
        band: 'near',
        short: `${page}, similar`,
        long: `Similar text on ${page}: “${grounding.quote ?? ''}”.`,
      };
    case 'none':
      return { band: 'none', short: 'Not on the page', long: 'This value is not on any page. Check it.' };
  }
}
