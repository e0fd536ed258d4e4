import { useEffect, useState } from 'react';

interface ThinkingTime {
  /** Whole seconds; undefined for what was thought before the page was opened. */
  seconds: number | undefined;
  /** While it thinks, and for a second after. */
  open: boolean;
}

const lingers = 1000;

/** How long the model thinks, running while it does and kept afterwards. */
export function useThinkingTime(live: boolean): ThinkingTime {
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
