export const demoModelName = 'demo-rules-1';

/** When these rules were written, in Unix seconds: a fixed date, so that the same request gives the same answer. */
export const rulesDate = 1_763_683_200;

/** In place of a provider's build identifier. */
export const systemFingerprint = 'fp_rules_no_language_model';

/** The entry of `/v1/models` for the only model. */
export const demoModelCard = {
  id: demoModelName,
  object: 'model',
  created: rulesDate,
  owned_by: 'docwright-demo-rules',
  description:
    'Fixed rules, not a language model: matches labels on a page and a small set of requests, so that the product can be tried without a provider.',
} as const;
