import { useEffect, useEffectEvent } from 'react';
import { useStickToBottom, type StickToBottomInstance } from 'use-stick-to-bottom';

/** Milliseconds after which the library has handled a scroll event. */
const settleMs = 5;

/**
 * Keeps a list scrolled to its end until the user scrolls up, also when the list itself is resized. Sending a message
 * scrolls to the end.
 *
 * @param sentMessages - Number of messages sent so far.
 */
export function useEndOfList(sentMessages: number): StickToBottomInstance {
  const list = useStickToBottom({ initial: 'instant', resize: 'instant' });
  const { scrollRef, isAtBottom, scrollToBottom } = list;
  const stayAtEnd = useEffectEvent(() => {
    if (isAtBottom) void scrollToBottom('instant');
  });
  // When the list grows taller, the browser scrolls up by itself, which the library takes for a scroll by the user.
  const returnToEnd = useEffectEvent((box: HTMLElement) => {
    if (box.scrollHeight - box.scrollTop - box.clientHeight <= 1) void scrollToBottom('instant');
  });
  useEffect(() => {
    const box = scrollRef.current;
    if (!box) return;
    const observer = new ResizeObserver(() => stayAtEnd());
    observer.observe(box);
    const onScroll = () => setTimeout(() => returnToEnd(box), settleMs);
    box.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      box.removeEventListener('scroll', onScroll);
    };
  }, [scrollRef]);
  useEffect(() => {
    if (sentMessages > 0) void scrollToBottom('instant');
  }, [sentMessages, scrollToBottom]);
  return list;
}
