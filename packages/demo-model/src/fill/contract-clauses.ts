import type { Found, PageContext } from './page-context.ts';

interface Clause {
  /** Field names for this value, as folded words. */
  field: RegExp;
  pattern: RegExp;
}

const name = String.raw`(?<value>\p{Lu}[^,;("“]{2,60}?(?:, (?:Inc|LLC|Ltd|Corp|L\.?P)\b\.?)?)`;
const endOfName = String.raw`(?=\s*(?:,|;|\(|["“]|\s+and\s+\p{Lu}|\.\s|$))`;

/** Values that contracts state in sentences and not beside labels. */
const clauses: readonly Clause[] = [
  {
    field: /^(?:first party|party (?:1|one|a)|client|party 1 name)$/u,
    pattern: new RegExp(String.raw`\b(?:by and between|between|by and among)\s*:?\s+${name}${endOfName}`, 'u'),
  },
  {
    field: /^(?:second party|party (?:2|two|b)|contractor|consultant|provider|party 2 name)$/u,
    pattern: new RegExp(String.raw`\b(?:between|among)\b[\s\S]{5,400}?[,)”"]?\s+and\s+${name}${endOfName}`, 'u'),
  },
  {
    field: /^(?:governing|applicable) (?:law|state)$|^jurisdiction$/u,
    pattern:
      /\blaws? of\s+(?:the\s+)?(?:(?:State|Commonwealth|Province|Republic) of\s+)?(?:the\s+)?(?<value>\p{Lu}\p{L}+(?:\s\p{Lu}\p{L}+){0,2})/u,
  },
];

const titleWords =
  /agreement|contract|amendment|addendum|statement of work|terms|lease|deed|vertrag|contrat|convenzione|contrato/iu;

/** The value of a field from the sentences of a contract; null when no clause states it. */
export function findInClauses(words: string, context: PageContext): Found<string> | null {
  if (/^(?:title|contract title|document title|agreement title)$/u.test(words)) return findTitle(context);
  const clause = clauses.find(({ field }) => field.test(words));
  const match = clause?.pattern.exec(context.text.replaceAll(/\s+/gu, ' '));
  const value = match?.groups?.value?.trim();
  if (value === undefined) return null;
  const [first = value] = value.split(' ');
  const line =
    context.lines.find((one) => one.text.includes(value)) ?? context.lines.find((one) => one.text.includes(first));
  return line ? { value, written: value, line, score: 1 } : null;
}

/** The first line that names a kind of contract, otherwise the first line of the document. */
function findTitle(context: PageContext): Found<string> | null {
  const filled = context.lines.filter((line) => line.cells.length > 0).slice(0, 12);
  const isTitle = (text: string) =>
    text.length <= 80 && !/[.,:;]$/u.test(text) && /^[\p{Lu}\d][^:]*\p{L}{3}/u.test(text) && !/\bpage \d/iu.test(text);
  const line =
    filled.find(({ text }) => titleWords.test(text) && isTitle(text.trim())) ??
    filled.find(({ text }) => isTitle(text.trim()));
  const value = line?.text.trim().replaceAll(/\s+/gu, ' ');
  return line && value !== undefined ? { value, written: value, line, score: 1 } : null;
}
