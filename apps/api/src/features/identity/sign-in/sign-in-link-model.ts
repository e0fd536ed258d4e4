import { field, modelOf, recordSchema } from '../../../platform/records/record-model.ts';

/** The unused printed link. There is at most one: a newer start replaces it. */
const signInLinkSchema = recordSchema(
  {
    _id: field.text,
    token_hash: field.text,
  },
  { collection: 'sign_in_links' },
);

export const signInLinkModel = modelOf('SignInLink', signInLinkSchema);
