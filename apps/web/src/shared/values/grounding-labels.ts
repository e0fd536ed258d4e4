import type { Grounding } from '@docwright/contract';

export interface GroundingLabel {
  band: 'sure' | 'near' | 'none';
  /** Short, beside the value. */
  short: string;
  /** The whole sentence. */
  long: string;
}

/** How well a value stands on the page, in words; undefined where there is no value to stand anywhere. */
export function groundingLabel(grounding: Grounding | undefined): GroundingLabel | undefined {
  if (!grounding) return undefined;
  const words = wordsOfPlace(grounding);
  if (!grounding.uncertain) return words;
  return {
    ...words,
    band: words.band === 'sure' ? 'near' : words.band,
    long: `${words.long} The model is not sure of it.`,
  };
}

function wordsOfPlace(grounding: Grounding): GroundingLabel {
  const page = `p. ${grounding.page_num ?? 1}`;
  const { places = 1 } = grounding;
  if (places > 1) {
    const long = `Found in ${places} places that fit as well; this is one of them, on ${page}. Check which is meant.`;
    return { band: 'near', short: `${page}, 1 of ${places} places`, long };
  }
  if (grounding.seen_only) {
    const long = 'Only the image of a page shows this value; it is not in the recognised text. Check it.';
    return { band: 'near', short: 'Seen in the image', long };
  }
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
