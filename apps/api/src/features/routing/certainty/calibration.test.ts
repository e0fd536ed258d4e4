import { expect, it } from 'vitest';
import { calibrate } from './calibration.ts';

const decisions = (count: number, score: number, isRight: (at: number) => boolean) =>
  Array.from({ length: count }, (_, at) => ({ score, isRight: isRight(at) }));

it('tells nothing before thirty decisions', () => {
  expect(calibrate(decisions(29, 0.9, () => true))(0.9)).toBeUndefined();
  expect(calibrate(decisions(30, 0.9, () => true))(0.9)).toBe(0.969);
});

it('is the share of right ones at such scores, and never falls with a rising score', () => {
  const low = decisions(20, 0.5, (at) => at % 2 === 0);
  const high = decisions(40, 0.9, () => true);
  const sure = calibrate([...high, ...low]);
  expect([sure(0.5), sure(0.7), sure(0.9), sure(1)]).toEqual([0.5, 0.5, 0.976, 0.976]);
  // Below everything that is known, it is less sure still.
  expect(sure(0.1)).toBeLessThan(0.3);
  // Higher scores that were wrong more often pull the lower ones down with them.
  const turned = calibrate([...decisions(20, 0.5, () => true), ...decisions(20, 0.9, (at) => at % 2 === 0)]);
  expect(turned(0.5)).toBe(turned(0.9));
  expect(turned(0.9)).toBeCloseTo(31 / 42, 2);
});

it('keeps equal scores together and leaves no small range over', () => {
  const sure = calibrate([...decisions(25, 0.6, () => true), ...decisions(5, 0.99, () => false)]);
  expect(sure(0.99)).toBe(sure(0.6));
  expect(sure(0.99)).toBeCloseTo(26 / 32, 2);
});
