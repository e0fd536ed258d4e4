import type { Extraction } from '@docwright/contract';
import { expect, it } from 'vitest';
import { extractionForModel } from './extraction-context.ts';

it('names a value that a person gave before among what changed, with what the model had read', async () => {
  const extraction = {
    prompt_id: 'p',
    prompt_revid: 'r',
    version: 2,
    result: { total: '1,300.00', tax: null },
    original_result: { total: '1,250.00', tax: null },
    carried_over: ['total'],
    grounding: {},
    issues: [],
    validation_errors: [],
    is_complete: true,
    is_edited: true,
    is_verified: false,
    release: { state: 'open' },
  } as unknown as Extraction;
  expect(await extractionForModel(extraction)).toMatchObject({
    is_edited: true,
    changed: [{ path: 'total', before: '1,250.00', after: '1,300.00', carried_over: 'given by the user before' }],
  });
});
