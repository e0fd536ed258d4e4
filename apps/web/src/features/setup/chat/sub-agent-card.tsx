import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { CallStateIcon } from '../../../agent-ui/call-state-badge.tsx';
import type { SubAgentWork } from '../state/setup-state.ts';
import { subAgentLabel } from '../state/setup-labels.ts';
import { ProgressBar } from '../../../shared/ui/progress-bar.tsx';
import { counted } from '../../../shared/formats/counted.ts';

/** The number of latest steps shown while the sub-agent works. */
const maxLatestSteps = 4;
/** A longer summary is cut off until the user opens it. */
const longSummary = 320;

const states = { running: 'Working', done: 'Done', failed: 'Partly done' } as const;

/** Shows the steps of a sub-agent, and its summary when it has finished. */
export function SubAgentCard({ step }: { step: SubAgentWork }) {
  const { agentId, state, steps, summary } = step;
  const title = subAgentLabel(agentId);
  return (
    <section
      aria-label={title}
      data-state={state}
      className="flex min-w-0 flex-col gap-1.5 rounded-md border border-line bg-raised px-2.5 py-2 text-sm"
    >
      <div className="flex items-center gap-2">
        <CallStateIcon state={state === 'failed' ? 'stale' : state} />
        <h3 className="min-w-0 flex-1 font-medium wrap-anywhere">{title}</h3>
        <span className="shrink-0 text-xs text-ink-soft">{states[state]}</span>
      </div>
      {state === 'running' && <Progress step={step} />}
      {state === 'running' ? (
        <ol aria-label="Steps" aria-live="off" className="flex min-h-12 flex-col gap-0.5 text-xs text-ink-soft">
          {steps.length === 0 && <li>Starting…</li>}
          {steps.slice(-maxLatestSteps).map((sentence, at, shown) => (
            <li
              key={steps.length - shown.length + at}
              className={`line-clamp-2 wrap-anywhere ${at === shown.length - 1 ? 'text-ink' : ''}`}
            >
              {sentence}
            </li>
          ))}
        </ol>
      ) : (
        <>
          {summary !== null && <Summary text={summary} />}
          {steps.length > 0 && (
            <details className="group/steps text-xs text-ink-soft">
              <summary className="inline-flex cursor-pointer list-none items-center gap-1 rounded-sm select-none hover:text-ink [&::-webkit-details-marker]:hidden">
                <ChevronRight aria-hidden className="size-3.5 transition-transform group-open/steps:rotate-90" />
                {counted(steps.length, 'step')}
              </summary>
              <ol className="mt-1 flex max-h-48 list-decimal flex-col gap-0.5 overflow-y-auto pl-6">
                {steps.map((sentence, at) => (
                  <li key={at} className="wrap-anywhere">
                    {sentence}
                  </li>
                ))}
              </ol>
            </details>
          )}
        </>
      )}
    </section>
  );
}

function Progress({ step: { agentId, done, total } }: { step: SubAgentWork }) {
  if (done === undefined || total === undefined || total === 0) return null;
  return (
    <div className="flex items-center gap-2 text-xs text-ink-soft tabular-nums">
      <ProgressBar label={subAgentLabel(agentId)} max={total} value={done} className="h-1 min-w-12 flex-1" />
      {done} of {total}
    </div>
  );
}

function Summary({ text }: { text: string }) {
  const [open, setOpen] = useState(false);
  const isLong = text.length > longSummary;
  return (
    <div className="text-ink-soft">
      <p className={`whitespace-pre-line wrap-anywhere ${isLong && !open ? 'line-clamp-4' : ''}`}>{text}</p>
      {isLong && (
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="rounded-sm text-xs font-medium text-accent hover:underline"
        >
          {open ? 'Less' : 'All of it'}
        </button>
      )}
    </div>
  );
}
