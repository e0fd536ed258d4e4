import type { ArgumentCondition } from '@docwright/contract';
import type { MatchText } from './permission.ts';

/** Maximum length of all text that one condition examines. */
const maxTextLength = 200_000;

/**
 * Whether a condition holds for the arguments of a call.
 *
 * Doubt counts against the call. If the condition cannot be evaluated (too much text, an invalid pattern, arguments nested
 * too deeply), it holds for a restricting rule and does not hold for an allowing one. A restricting rule matches if any
 * value that the path can name matches, any text inside such a value, or its Unicode compatibility form (NFKC). An
 * allowing rule matches only if every value that the path names matches exactly as written.
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
        ? values.some((value) => isEqual(value, equals, compatibilityForm))
        : values.length > 0 && values.every((value) => isEqual(value, equals, (text) => text));
    }
    const texts = values.map((value) => textsIn(value));
    if (texts.flat().reduce((length, text) => length + text.length, 0) > maxTextLength) return restricts;
    const isMatch = (text: string) => matchText(condition.matches, text);
    const isMatchInAnyForm = (text: string) => {
      const form = compatibilityForm(text);
      return isMatch(text) || (form !== text && isMatch(form));
    };
    return restricts
      ? texts.flat().some(isMatchInAnyForm)
      : values.length > 0 && values.every((value) => !isStructure(value) && isMatch(String(value)));
  } catch {
    return restricts;
  }
}

/** All values that a dotted path can name. Keys can contain dots themselves, and `*` is any index or key. */
function valuesAt(value: unknown, segments: readonly string[]): unknown[] {
  if (segments.length === 0) return [value];
  if (!isStructure(value)) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    if (segments[0] === '*') return valuesAt(child, segments.slice(1));
    const length = key.split('.').length;
    return segments.slice(0, length).join('.') === key ? valuesAt(child, segments.slice(length)) : [];
  });
}

/** All texts inside a value, keys included. */
function textsIn(value: unknown): string[] {
  if (!isStructure(value)) return [String(value)];
  const entries = Object.entries(value);
  return entries.flatMap(([key, child]) => (Array.isArray(value) ? textsIn(child) : [key, ...textsIn(child)]));
}

function isEqual(one: unknown, other: unknown, normalize: (text: string) => string): boolean {
  if (typeof one === 'string' && typeof other === 'string') return normalize(one) === normalize(other);
  if (!isStructure(one) || !isStructure(other)) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isEqual(one[key], other[key], normalize))
  );
}

function isStructure(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function compatibilityForm(text: string): string {
  return text.normalize('NFKC');
}
