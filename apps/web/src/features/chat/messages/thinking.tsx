import { Brain, ChevronRight } from 'lucide-react';
import { useState, useEffect } from 'react';
import { classNames } from '../../../shared/ui/class-names.ts';

interface ThinkingProps {
  text: string;
  live: boolean;
  /** Measured by the server; undefined while thinking. */
  durationMs: number | undefined;
}

/** The model's thinking: open while it streams, afterwards one line with its duration. */
export function Thinking({ text, live, durationMs }: ThinkingProps) {
  const { seconds: elapsed, open: openByDefault } = useThinkingTime(live);
  const seconds = live || durationMs === undefined ? elapsed : Math.round(durationMs / 1000);
  const [opened, setOpened] = useState<boolean>();
  const open = opened ?? openByDefault;
  const summary = seconds === undefined ? 'Thinking' : `Thought for ${Math.max(1, seconds)} s`;
  return (
    <div className="text-sm text-ink-faint">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpened(!open)}
        className="inline-flex items-center gap-1.5 rounded-sm tabular-nums hover:text-ink"
      >
        <Brain aria-hidden className={classNames('size-3.5', live && 'animate-pulse')} />
        {live ? `Thinking… ${seconds ?? 0} s` : summary}
        <ChevronRight aria-hidden className={classNames('size-3.5 transition-transform', open && 'rotate-90')} />
      </button>
      {open && <p className="mt-1 border-l-2 border-line pl-3 whitespace-pre-wrap wrap-anywhere">{text}</p>}
    </div>
  );
}

const lingerMs = 1000;

/** Measures how long the model thinks. */
function useThinkingTime(live: boolean) {
  const [seconds, setSeconds] = useState<number>();
  const [open, setOpen] = useState(live);
  const [wasLive, setWasLive] = useState(live);
  if (live !== wasLive) {
    setWasLive(live);
    if (live) setOpen(true);
  }
  useEffect(() => {
    if (live) {
      const start = Date.now();
      const timer = setInterval(() => setSeconds(Math.round((Date.now() - start) / 1000)), 250);
      return () => clearInterval(timer);
    }
    const timer = setTimeout(() => setOpen(false), lingerMs);
    return () => clearTimeout(timer);
  }, [live]);
  return {
    /** Whole seconds; undefined for thinking from before the page was opened. */
    seconds,
    /** True while thinking and for a second after. */
    open,
  };
}
