import { LoaderCircle } from 'lucide-react';
import type { Tone } from '../formats/run-labels.ts';

const dots: Record<Exclude<Tone, 'busy'>, string> = {
  neutral: 'bg-ink-faint',
  good: 'bg-good',
  bad: 'bg-bad',
  warn: 'bg-warn',
};
const texts: Record<Tone, string> = {
  busy: 'text-ink',
  neutral: 'text-ink-soft',
  good: 'text-ink-soft',
  bad: 'text-bad',
  warn: 'text-warn',
};

/** A state with a dot. */
export function StateMark({ label, tone }: { label: string; tone: Tone }) {
  return (
    <span className="inline-flex items-center gap-1.5 align-middle text-sm md:whitespace-nowrap">
      {tone === 'busy' ? (
        <LoaderCircle aria-hidden className="-mx-0.5 size-3 shrink-0 animate-spin text-accent" />
      ) : (
        <span aria-hidden className={`size-2 shrink-0 rounded-full ${dots[tone]}`} />
      )}
      <span className={texts[tone]}>{label}</span>
    </span>
  );
}
