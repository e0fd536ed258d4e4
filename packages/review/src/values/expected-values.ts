import { leafPaths } from './paths.ts';

/** Longer texts are searched as far as this. */
const maxText = 200_000;

/**
 * The paths of empty values whose label is on the page with something beside it: a document that prints “Total 12.50” has
 * a total. Fields of rows are left out, because their labels are headings of columns.
 *
 * @param text the text of the pages
 * @param schema the JSON schema of the result, for the titles of its fields beside their names
 * @example
 * ```ts
 * import { labelledButEmpty } from '@docwright/review';
 *
 * labelledButEmpty({ total: null, due_date: null }, 'Total GBP 12.50'); // ['total']
 * ```
 */
export function labelledButEmpty(
  result: unknown,
  text: string,
  schema?: { readonly properties?: Readonly<Record<string, unknown>> },
): string[] {
  const titleOf = (path: string) => (schema?.properties?.[path] as { title?: unknown } | undefined)?.title;
  const searched = text.slice(0, maxText);
  return leafPaths(result)
    .filter(({ value, field }) => (value === null || value === '') && !field.includes('[]'))
    .filter(({ path }) => {
      const title = titleOf(path);
      const names = [path.split('.').at(-1) ?? '', typeof title === 'string' ? title : ''];
      return names.some((name) => hasLabel(searched, name));
    })
    .map(({ path }) => path);
}

/** Whether a line has the label with a colon and a text after it, or with a text that has a digit. */
function hasLabel(text: string, name: string): boolean {
  const words = name.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2').match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.join('').length < 3) return false;
  const label = words.map((word) => RegExp.escape(word)).join(String.raw`[ \t_.-]{1,3}`);
  const beside = String.raw`(?:[ \t]*:[ \t]*[^\s:]|[ \t]{1,40}(?:[^\s\d]{1,12}[ \t]{1,10}){0,2}[^\s\d]{0,4}\d)`;
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${label}${beside}`, 'iu').test(text);
}
