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
      return { band: 'sure', short: page, long: `Stands on ${page} exactly so.` };
    case 'normalized':
      return { band: 'sure', short: page, long: `Stands on ${page}, written another way: “${grounding.quote ?? ''}”.` };
    case 'fuzzy':
      return {
        band: 'near',
        short: `${page}, similar`,
        long: `Something similar stands on ${page}: “${grounding.quote ?? ''}”.`,
      };
    case 'none':
      return { band: 'none', short: 'Not on the page', long: 'This value is nowhere on the pages. Check it.' };
  }
}
