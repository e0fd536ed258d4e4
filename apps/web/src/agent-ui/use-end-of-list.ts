import { useEffect, useEffectEvent } from 'react';
import { useStickToBottom, type StickToBottomInstance } from 'use-stick-to-bottom';

/** After the library has read a scroll event. */
const settled = 5;

/**
 * Keeps a list at its end until somebody scrolls up, also where what stands below it grows or shrinks; one's own message (`written`
 * counts them) leads to the end.
 */
export function useEndOfList(written: number): StickToBottomInstance {
  const list = useStickToBottom({ initial: 'instant', resize: 'instant' });
  const { scrollRef, isAtBottom, scrollToBottom } = list;
  const stay = useEffectEvent(() => {
    if (isAtBottom) void scrollToBottom('instant');
  });
  // More room moves the list to its end by itself: a scroll upwards, and nobody has scrolled away.
  const atEnd = useEffectEvent((box: HTMLElement) => {
    if (box.scrollHeight - box.scrollTop - box.clientHeight <= 1) void scrollToBottom('instant');
  });
  useEffect(() => {
    const box = scrollRef.current;
    if (!box) return;
    const observer = new ResizeObserver(() => stay());
    observer.observe(box);
    const onScroll = () => setTimeout(() => atEnd(box), settled);
    box.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      box.removeEventListener('scroll', onScroll);
    };
  }, [scrollRef]);
  useEffect(() => {
    if (written > 0) void scrollToBottom('instant');
  }, [written, scrollToBottom]);
  return list;
}
