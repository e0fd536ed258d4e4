import { extensionsOf, fileKinds } from '@docwright/contract';
import { expect, it } from 'vitest';
import { usualParsers } from './registry.ts';

it('each kind of file has one usual parser', () => {
  const named = usualParsers.flatMap(({ extensions }) => extensions);
  expect(named.toSorted()).toEqual(Object.keys(fileKinds).flatMap(extensionsOf).toSorted());
});
