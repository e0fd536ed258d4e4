import { diffLines } from 'diff';
import { useMemo } from 'react';
import { classNames } from '../ui/class-names.ts';
import { ScrollBox } from '../ui/scroll-box.tsx';

const looks = { added: 'bg-good-soft', removed: 'bg-bad-soft', same: 'text-ink-soft' };
const signs = { added: '+', removed: '−', same: ' ' };

/** What a text loses and gains, line by line; long stretches that stay are shortened. */
export function TextDifference({ before, after }: { before: string; after: string }) {
  const lines = useMemo(() => differenceLines(before, after), [before, after]);
  return (
    <ScrollBox label="Difference" className="py-1 font-mono text-xs">
      {lines.map(({ kind, text }, index) => (
        <div key={index} className={classNames('flex gap-2 px-2', looks[kind])}>
          <span aria-label={kind === 'same' ? undefined : kind} className="select-none">
            {signs[kind]}
          </span>
          <span className="min-w-0 whitespace-pre-wrap wrap-anywhere">{text}</span>
        </div>
      ))}
    </ScrollBox>
  );
}

interface DifferenceLine {
  kind: 'added' | 'removed' | 'same';
  text: string;
}

/** Lines around a change that are shown with it. */
const context = 2;

function differenceLines(before: string, after: string): DifferenceLine[] {
  return diffLines(before, after).flatMap((part): DifferenceLine[] => {
    const kind = part.added ? 'added' : part.removed ? 'removed' : 'same';
    const lines = part.value.replace(/\n$/, '').split('\n');
    const shown =
      kind === 'same' && lines.length > 2 * context + 1
        ? [...lines.slice(0, context), `… ${lines.length - 2 * context} lines stay …`, ...lines.slice(-context)]
        : lines;
    return shown.map((text) => ({ kind, text }));
  });
}
