import { useMemo } from 'react';
import { classNames } from '../ui/class-names.ts';
import { ScrollBox } from '../ui/scroll-box.tsx';
import { differenceLines } from './difference-lines.ts';

const looks = { added: 'bg-good-soft', removed: 'bg-bad-soft', same: 'text-ink-soft' };
const signs = { added: '+', removed: '−', same: ' ' };

/** The difference of two texts, line by line. */
export function TextDifference({ before, after }: { before: string; after: string }) {
  const lines = useMemo(() => differenceLines(before, after), [before, after]);
  return (
    <ScrollBox label="Difference" className="py-1 font-mono text-xs">
      {lines.map(({ kind, text }, index) => (
        <div key={index} className={classNames('flex gap-2 px-2', looks[kind])}>
          <span aria-hidden className="select-none">
            {signs[kind]}
          </span>
          {kind !== 'same' && <span className="sr-only">{kind}:</span>}
          <span className="min-w-0 whitespace-pre-wrap wrap-anywhere">{text}</span>
        </div>
      ))}
    </ScrollBox>
  );
}
