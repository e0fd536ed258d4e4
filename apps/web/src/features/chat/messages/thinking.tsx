import { Brain, ChevronRight } from 'lucide-react';
import { useState, useEffect } from 'react';
import { classNames } from '../../../shared/ui/class-names.ts';

interface ThinkingProps {
  text: string;
  live: boolean;
  /** As the server measured it, once it has ended. */
  durationMs: number | undefined;
}

/** What the model thought: open while it thinks, a line that tells how long afterwards. */
export function Thinking({ text, live, durationMs }: ThinkingProps) {
  const { seconds: running, open: shown } = useThinkingTime(live);
  const seconds = live || durationMs === undefined ? running : Math.round(durationMs / 1000);
  const [opened, setOpened] = useState<boolean>();
  const open = opened ?? shown;
  const thought = seconds === undefined ? 'Thinking' : `Thought for ${Math.max(1, seconds)} s`;
  return (
    <div className="text-sm text-ink-faint">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpened(!open)}
        className="inline-flex items-center gap-1.5 rounded-sm tabular-nums hover:text-ink"
      >
        <Brain aria-hidden className={classNames('size-3.5', live && 'animate-pulse')} />
        {live ? `Thinking… ${seconds ?? 0} s` : thought}
        <ChevronRight aria-hidden className={classNames('size-3.5 transition-transform', open && 'rotate-90')} />
      </button>
      {open && <p className="mt-1 border-l-2 border-line pl-3 whitespace-pre-wrap wrap-anywhere">{text}</p>}
    </div>
  );
}

interface ThinkingTime {
  /** Whole seconds; undefined for what was thought before the page was opened. */
  seconds: number | undefined;
  /** While it thinks, and for a second after. */
  open: boolean;
}

const lingers = 1000;

/** How long the model thinks, running while it does and kept afterwards. */
function useThinkingTime(live: boolean): ThinkingTime {
  const [seconds, setSeconds] = useState<number>();
  const [open, setOpen] = useState(live);
  const [was, setWas] = useState(live);
  if (live !== was) {
    setWas(live);
    if (live) setOpen(true);
  }
  useEffect(() => {
    if (live) {
      const start = Date.now();
      const timer = setInterval(() => setSeconds(Math.round((Date.now() - start) / 1000)), 250);
      return () => clearInterval(timer);
    }
    const timer = setTimeout(() => setOpen(false), lingers);
    return () => clearTimeout(timer);
  }, [live]);
  return { seconds, open };
}
