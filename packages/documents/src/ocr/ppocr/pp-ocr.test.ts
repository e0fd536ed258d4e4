import { expect, it } from 'vitest';
import { calibratedConfidence } from './pp-ocr.ts';

it('takes a confidence of PP-OCR for what words of it are worth, in order', () => {
  const reported = [0, 0.3, 0.5, 0.8, 0.9, 0.93, 0.95, 0.98, 0.99, 0.999, 1];
  const right = reported.map(calibratedConfidence);
  expect(right).toEqual(right.toSorted((one, other) => one - other));
  expect(right[0]).toBe(0);
  expect(calibratedConfidence(0.93)).toBeLessThan(0.6);
  expect(calibratedConfidence(0.995)).toBeGreaterThan(0.92);
  expect(calibratedConfidence(1.01)).toBe(0.98);
});
