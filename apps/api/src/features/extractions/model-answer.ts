import { exceedsExtent } from '../schemas/json-extent.ts';

const maxCharacters = 2_000_000;
const most = { depth: 100, values: 100_000 };

/**
 * The JSON of a model's answer; undefined where it is none, or one beyond any result's size or depth. Markdown fences
 * around it are taken off.
 */
export function parseModelAnswer(text: string): { value: unknown } | undefined {
  if (text.length > maxCharacters) return undefined;
  const bare = text.trim();
  const fenced = /```[a-z]*\s*\n?([\s\S]*?)```/i.exec(bare)?.[1];
  for (const candidate of [bare, fenced]) {
    if (candidate === undefined) continue;
    try {
      const value: unknown = JSON.parse(candidate);
      return exceedsExtent(value, most) ? undefined : { value };
    } catch {
      // The next candidate, or none: the caller turns that into a failed run.
    }
  }
  return undefined;
}
