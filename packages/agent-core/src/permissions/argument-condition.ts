import type { ArgumentCondition } from '@docwright/contract';
import type { MatchText } from './permission.ts';

/** Of all text that one condition looks at. */
const longestText = 200_000;

/**
 * Whether a condition holds for the arguments of a call. What cannot be told (text beyond the bound, a pattern that does
 * not compile, arguments nested beyond the stack) counts against the call: it holds for a rule that restricts and not
 * for one that allows. So do spellings: a rule that restricts holds where any reading of the path, any text inside the
 * value, or the value in Unicode's compatible form (NFKC) fits; one that allows only where all that the path names fits
 * as it stands.
 */
export function conditionHolds(
  condition: ArgumentCondition,
  args: Readonly<Record<string, unknown>>,
  restricts: boolean,
  matchText: MatchText,
): boolean {
  try {
    const values = valuesAt(args, condition.path.split('.'));
    if ('equals' in condition) {
      const { equals } = condition;
      return restricts
        ? values.some((value) => isEqual(value, equals, compatible))
        : values.length > 0 && values.every((value) => isEqual(value, equals, asWritten));
    }
    const texts = values.map((value) => textsIn(value));
    if (texts.flat().reduce((length, text) => length + text.length, 0) > longestText) return restricts;
    const fits = (text: string) => matchText(condition.matches, text);
    return restricts
      ? texts.flat().some((text) => fits(text) || (compatible(text) !== text && fits(compatible(text))))
      : values.length > 0 && values.every((value) => !isStructure(value) && fits(String(value)));
  } catch {
    return restricts;
  }
}

/** Everything a dotted path may name: keys may contain dots themselves, and `*` is any index or key. */
function valuesAt(value: unknown, segments: readonly string[]): unknown[] {
  if (segments.length === 0) return [value];
  if (!isStructure(value)) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    if (segments[0] === '*') return valuesAt(child, segments.slice(1));
    const length = key.split('.').length;
    return segments.slice(0, length).join('.') === key ? valuesAt(child, segments.slice(length)) : [];
  });
}

/** The texts a value is made of, keys included. */
function textsIn(value: unknown): string[] {
  if (!isStructure(value)) return [String(value)];
  const entries = Object.entries(value);
  return entries.flatMap(([key, child]) => (Array.isArray(value) ? textsIn(child) : [key, ...textsIn(child)]));
}

function isEqual(one: unknown, other: unknown, spelling: (text: string) => string): boolean {
  if (typeof one === 'string' && typeof other === 'string') return spelling(one) === spelling(other);
  if (!isStructure(one) || !isStructure(other)) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isEqual(one[key], other[key], spelling))
  );
}

function isStructure(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function compatible(text: string): string {
  return text.normalize('NFKC');
}

function asWritten(text: string): string {
  return text;
}
