import type { AgentLog } from '@docwright/contract';
import { Pause, Play, SkipForward } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { LazyMarkdown } from '../../../agent-ui/markdown/lazy-markdown.tsx';
import { logSteps, type LogStep } from './log-steps.ts';
import { Thinking } from '../messages/thinking.tsx';
import { ToolCardView } from '../messages/tool-card.tsx';

const stepMs = 900;

/** Plays back an unattended run step by step. */
export function RunLog({ rounds, onClose }: { rounds: AgentLog; onClose: () => void }) {
  const steps = logSteps(rounds);
  const reducesMotion = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  const [shown, setShown] = useState(reducesMotion ? steps.length : 1);
  const [playing, setPlaying] = useState(!reducesMotion);
  const end = useRef<HTMLDivElement>(null);
  const isFinished = shown >= steps.length;
  useEffect(() => {
    if (!playing || isFinished) return;
    const timer = setTimeout(() => setShown(shown + 1), stepMs);
    return () => clearTimeout(timer);
  }, [playing, isFinished, shown]);
  useEffect(() => {
    if (shown > 1) end.current?.scrollIntoView({ block: 'nearest' });
  }, [shown]);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="What the agent did">
      <div className="sticky -top-4 z-1 -mx-4 -mt-2 flex items-center gap-1.5 bg-raised px-4 py-2">
        {isFinished ? (
          <Button
            size="small"
            onClick={() => {
              setShown(1);
              setPlaying(true);
            }}
          >
            <Play aria-hidden className="size-3.5" /> Play again
          </Button>
        ) : (
          <>
            <Button size="small" onClick={() => setPlaying(!playing)}>
              {playing ? <Pause aria-hidden className="size-3.5" /> : <Play aria-hidden className="size-3.5" />}
              {playing ? 'Pause' : 'Play'}
            </Button>
            <Button size="small" onClick={() => setShown(steps.length)}>
              <SkipForward aria-hidden className="size-3.5" /> Show all
            </Button>
          </>
        )}
        <output className="ml-auto text-xs text-ink-faint tabular-nums">
          {Math.min(shown, steps.length)} of {steps.length}
        </output>
      </div>
      <ol className="flex flex-col gap-2">
        {steps.slice(0, shown).map((step, index) => (
          <li key={index}>
            <Step step={step} />
          </li>
        ))}
      </ol>
      <div ref={end} />
    </Dialog>
  );
}

function Step({ step }: { step: LogStep }) {
  switch (step.kind) {
    case 'thinking':
      return <Thinking text={step.text} live={false} durationMs={undefined} />;
    case 'text':
      return <LazyMarkdown text={step.text} />;
    case 'call':
      return <ToolCardView card={step.card} />;
  }
}
