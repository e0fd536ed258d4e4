import type { Grounding } from '@docwright/contract';

export interface GroundingLabel {
  band: 'sure' | 'near' | 'none';
  /** Shown beside the value. */
  short: string;
  /** Full sentence, for the tooltip. */
  long: string;
}

/** Describes how well a value is grounded; undefined without a value. */
export function groundingLabel(grounding: Grounding | undefined): GroundingLabel | undefined {
  if (!grounding) return undefined;
  const label = matchLabel(grounding);
  if (!grounding.uncertain) return label;
  return {
    ...label,
    band: label.band === 'sure' ? 'near' : label.band,
    long: `${label.long} The model is not sure of it.`,
  };
}

function matchLabel(grounding: Grounding): GroundingLabel {
  const page = `p. ${grounding.page_num ?? 1}`;
  const { places = 1 } = grounding;
  if (places > 1) {
    const long = `Found in ${places} places; this is one of them, on ${page}. Check which one is meant.`;
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
