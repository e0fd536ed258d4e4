import type { TurnFrame } from '../api/turn-stream.ts';

interface FrameBatch {
  add: (frame: TurnFrame) => void;
  flush: () => void;
}

/** Gathers what arrives between two pictures; a page in the background draws none, so a timer stands by. */
export function createFrameBatch(take: (frames: TurnFrame[]) => void): FrameBatch {
  let waiting: TurnFrame[] = [];
  let picture = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    cancelAnimationFrame(picture);
    clearTimeout(timer);
    timer = undefined;
    const frames = waiting;
    waiting = [];
    if (frames.length > 0) take(frames);
  };
  return {
    add: (frame) => {
      waiting.push(frame);
      if (timer !== undefined) return;
      picture = requestAnimationFrame(flush);
      timer = setTimeout(flush, 250);
    },
    flush,
  };
}
