export const demoModelName = 'demo-rules-1';

/** The date of these rules in Unix seconds. It is fixed, so that the same request gets the same answer. */
export const rulesDate = 1_763_683_200;

/** Takes the place of a provider's build identifier. */
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
