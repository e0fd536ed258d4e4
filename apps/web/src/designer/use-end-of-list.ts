import { useEffect, useEffectEvent } from 'react';
import { useStickToBottom, type StickToBottomInstance } from 'use-stick-to-bottom';

/** Keeps a list at its end until somebody scrolls up, also where what stands below it grows or shrinks. */
export function useEndOfList(): StickToBottomInstance {
  const list = useStickToBottom({ initial: 'instant', resize: 'instant' });
  const { scrollRef, isAtBottom, scrollToBottom } = list;
  const stay = useEffectEvent(() => {
    const box = scrollRef.current;
    if (!box) return;
    // More room moves the list down to its end: the browser does that, nobody has scrolled away.
    const isAtEnd = box.scrollHeight - box.scrollTop - box.clientHeight <= 1;
    if (isAtBottom || isAtEnd) void scrollToBottom('instant');
  });
  useEffect(() => {
    const box = scrollRef.current;
    if (!box) return;
    const observer = new ResizeObserver(() => stay());
    observer.observe(box);
    return () => observer.disconnect();
  }, [scrollRef]);
  useEffect(() => {
    if (!isAtBottom) stay();
  }, [isAtBottom]);
  return list;
}
