import { expect, it } from 'vitest';
import { orderShapes } from './reading-order.ts';

it('shapes are read by rows where nothing crosses them, otherwise by columns', () => {
  const shape = (name: string, left: number, top: number, width = 40, height = 20) => ({
    name,
    left,
    top,
    width,
    height,
  });
  const order = (shapes: ReturnType<typeof shape>[]): string =>
    orderShapes(shapes)
      .map(({ name }) => name)
      .join(' ');
  expect(order([shape('b1', 50, 1), shape('a2', 0, 30), shape('b2', 50, 29), shape('a1', 0, 2)])).toBe('a1 b1 a2 b2');
  expect(order([shape('b1', 50, 0), shape('b2', 50, 30), shape('tall', 0, 10, 40, 60)])).toBe('tall b1 b2');
  expect(
    order([shape('a1', 10, 10), shape('tall', 55, 12, 40, 60), shape('a2', 10, 40), shape('all', 0, 0, 100, 100)]),
  ).toBe('all a1 a2 tall');
  expect(order([shape('label', 10, 10), shape('behind', 0, 0, 100, 60), shape('below', 0, 60)])).toBe(
    'behind label below',
  );
});
