import { expect, it, vi } from 'vitest';
import type { FitClaim } from '../value-risk/index.ts';
import { createCalibrationService } from './calibration-service.ts';

it('a prompt whose results cannot be read is set aside and does not keep others from being calibrated', async () => {
  const claimOf = (id: string): FitClaim => ({
    id,
    organizationId: id,
    promptId: id,
    renew: async () => true,
    store: async () => true,
  });
  const due = [claimOf('damaged'), claimOf('sound')];
  const excepted: string[] = [];
  const calibrated: string[] = [];
  const calibration = createCalibrationService({
    results: {
      async *decided(organizationId) {
        if (organizationId === 'damaged') throw new TypeError('no result');
        yield* [];
      },
    },
    queue: {
      async claim(_interval, except) {
        excepted.push(except.join(','));
        return due.shift();
      },
    },
    rescore: async (organizationId) => void calibrated.push(organizationId),
    log: { error: vi.fn<() => void>() },
  });
  await calibration.work(new AbortController().signal);
  expect([calibrated, excepted]).toEqual([['sound'], ['', 'damaged', 'damaged']]);
});
