import { diffLines } from 'diff';

interface DifferenceLine {
  kind: 'added' | 'removed' | 'same';
  text: string;
}

/** Unchanged lines shown before and after a change. */
const contextLines = 2;

/** Without a final line break, a last line would differ from the same line with one. */
const withFinalBreak = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

/** Compares two texts line by line; long unchanged stretches are shortened. */
export function differenceLines(before: string, after: string): DifferenceLine[] {
  return diffLines(withFinalBreak(before), withFinalBreak(after)).flatMap((part): DifferenceLine[] => {
    const kind = part.added ? 'added' : part.removed ? 'removed' : 'same';
    const lines = part.value.replace(/\n$/, '').split('\n');
    const shown =
      kind === 'same' && lines.length > 2 * contextLines + 1
        ? [
            ...lines.slice(0, contextLines),
            `… ${lines.length - 2 * contextLines} unchanged lines …`,
            ...lines.slice(-contextLines),
          ]
        : lines;
    return shown.map((text) => ({ kind, text }));
  });
}
