import type { Preview } from '@docwright/contract';

const mostCharacters = 12_000;
const contextLines = 3;

/**
 * Two texts as the preview of a change. Long ones lose first the lines at start and end that are the same in both, then
 * whatever is over the limit; each cut is named in its place.
 */
export function differencePreview(title: string, before: string, after: string): Preview {
  if (before.length <= mostCharacters && after.length <= mostCharacters) {
    return { kind: 'difference', title, before, after };
  }
  const [old, next] = [before.split('\n'), after.split('\n')];
  const shorter = Math.min(old.length, next.length);
  const head = countWhile(shorter, (at) => old[at] === next[at]);
  const tail = countWhile(shorter - head, (at) => old[old.length - 1 - at] === next[next.length - 1 - at]);
  const from = Math.max(0, head - contextLines);
  const kept = (lines: string[]) => lines.slice(from, lines.length - Math.max(0, tail - contextLines));
  const shown = (lines: string[]) => {
    const start = from > 0 ? [`[${from} equal lines before]`] : [];
    const end = tail > contextLines ? [`[${tail - contextLines} equal lines after]`] : [];
    return cut([...start, ...kept(lines), ...end].join('\n'));
  };
  return { kind: 'difference', title, before: shown(old), after: shown(next) };
}

function countWhile(limit: number, holds: (at: number) => boolean): number {
  let count = 0;
  while (count < limit && holds(count)) count += 1;
  return count;
}

function cut(text: string): string {
  const over = text.length - mostCharacters;
  return over <= 0 ? text : `${text.slice(0, mostCharacters)}\n[cut: ${over} more characters]`;
}
