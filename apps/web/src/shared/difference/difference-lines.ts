import { diffLines } from 'diff';

interface DifferenceLine {
  kind: 'added' | 'removed' | 'same';
  text: string;
}

/** Lines around a change that are shown with it. */
const context = 2;

/** A last line without its end would differ from the same line with one. */
const ended = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

/** What a text loses and gains, line by line; long stretches that stay are shortened. */
export function differenceLines(before: string, after: string): DifferenceLine[] {
  return diffLines(ended(before), ended(after)).flatMap((part): DifferenceLine[] => {
    const kind = part.added ? 'added' : part.removed ? 'removed' : 'same';
    const lines = part.value.replace(/\n$/, '').split('\n');
    const shown =
      kind === 'same' && lines.length > 2 * context + 1
        ? [...lines.slice(0, context), `… ${lines.length - 2 * context} lines stay …`, ...lines.slice(-context)]
        : lines;
    return shown.map((text) => ({ kind, text }));
  });
}
