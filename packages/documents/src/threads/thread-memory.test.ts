import { expect, it } from 'vitest';
import { isMemoryBelow } from './thread-memory.ts';

const megabyte = 1024 * 1024;

it('counts an array buffer once', () => {
  const { heapTotal, external } = process.memoryUsage();
  const buffer = new ArrayBuffer(200 * megabyte);
  const expected = heapTotal + external + buffer.byteLength;
  expect([isMemoryBelow(expected - 50 * megabyte), isMemoryBelow(expected + 50 * megabyte)]).toEqual([false, true]);
  expect(buffer.byteLength).toBe(200 * megabyte);
});
