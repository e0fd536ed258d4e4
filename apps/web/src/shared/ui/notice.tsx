import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

type Tone = 'info' | 'good' | 'warn' | 'bad';

const tones: Record<Tone, { look: string; Icon: typeof Info }> = {
  info: { look: 'bg-accent-soft text-ink [&>svg]:text-accent', Icon: Info },
  good: { look: 'bg-good-soft text-ink [&>svg]:text-good', Icon: CircleCheck },
  warn: { look: 'bg-warn-soft text-ink [&>svg]:text-warn', Icon: TriangleAlert },
  bad: { look: 'bg-bad-soft text-ink [&>svg]:text-bad', Icon: CircleAlert },
};

interface NoticeProps {
  tone?: Tone;
  actions?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** A message with actions. Screen readers announce failures at once, the rest politely. */
export function Notice({ tone = 'info', actions, className, children }: NoticeProps) {
  const { look, Icon } = tones[tone];
  return (
    <div
      role={tone === 'bad' ? 'alert' : 'status'}
      className={classNames('flex flex-wrap items-start gap-2 rounded-md px-3 py-2 text-sm', look, className)}
    >
      <Icon aria-hidden className="mt-px size-4 shrink-0" />
      <div className="min-w-0 flex-[1_1_14rem] wrap-anywhere">{children}</div>
      {actions}
    </div>
  );
}
