import { expect, it } from 'vitest';
import { createAccuracyService } from './accuracy-service.ts';

it.each([
  { summed: true, accepted: true, shown: undefined },
  { summed: false, accepted: true, shown: true },
  { summed: true, accepted: false, shown: true },
])('says whether the figures are of all results: %j', async ({ summed, accepted, shown }) => {
  const counts = { values: 0, accepted: 0, sampled: 0, sampled_wrong: 0 };
  const service = createAccuracyService({
    sums: { ofPrompt: async () => ({ figures: {}, isWhole: summed }) },
    straightThrough: { ofPrompt: async () => ({ ...counts, isWhole: accepted }) },
    promptsFor: () => ({ getCurrent: async () => ({ prompt_id: 'p' }) }) as never,
  });
  const answer = await service({ organizationId: 'o' } as never).ofPrompt('p');
  expect(answer).toMatchObject({ overall: { values: 0 }, straight_through: { share: 0 } });
  expect(answer.is_partial).toBe(shown);
});
