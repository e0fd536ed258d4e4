import type { Extraction, Preview } from '@docwright/contract';
import { shortenLongLists } from '../../context/extraction-context.ts';

const maxValues = 50;

/** What a person made of a result that a new extraction would replace: how many values, and which of them are theirs. */
export function replacePreview({ version, is_verified, is_edited, result, original_result }: Extraction): Preview {
  const [now, original] = [leavesOf(result), leavesOf(original_result)];
  const paths = [...new Set([...now.keys(), ...original.keys()])];
  const edited = paths.filter((path) => !Object.is(now.get(path) ?? null, original.get(path) ?? null));
  return {
    kind: 'replace',
    version,
    is_verified,
    is_edited,
    value_count: now.size,
    edited_count: edited.length,
    edited_values: edited.slice(0, maxValues).map((path) => ({
      path,
      original_value: shortenLongLists(original.get(path) ?? null, 1, 2000),
      edited_value: shortenLongLists(now.get(path) ?? null, 1, 2000),
    })),
  };
}

/** Every value that is no list and no object, by its dotted path. */
function leavesOf(result: unknown): Map<string, unknown> {
  const leaves = new Map<string, unknown>();
  const open: [path: string, value: unknown][] = [['', result]];
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    const [path, value] = entry;
    if (typeof value !== 'object' || value === null) leaves.set(path, value);
    else open.push(...Object.entries(value).map(([key, child]): [string, unknown] => [join(path, key), child]));
  }
  return leaves;
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
