import type { DecidedValue } from './queue/use-review.ts';

type Change = Pick<DecidedValue, 'action' | 'value'> & { item: Pick<DecidedValue['item'], 'path'> };

/** Applies decisions (the latest first) and then one more value to a result. */
export function resultWith(result: unknown, decided: readonly Change[], path: string, value: unknown): unknown {
  const after = decided.toReversed().reduce<unknown>((before, { item, action, value: corrected }) => {
    if (action === 'confirm') return before;
    return withValueAt(before, item.path.split('.'), action === 'clear' ? null : corrected);
  }, result);
  return withValueAt(after, path.split('.'), value);
}

/** A path that does not exist changes nothing. */
function withValueAt(container: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(container)) {
    return container.map((item: unknown, index) => (String(index) === key ? withValueAt(item, rest, value) : item));
  }
  if (typeof container !== 'object' || container === null) return container;
  return { ...container, [key]: withValueAt((container as Record<string, unknown>)[key], rest, value) };
}
