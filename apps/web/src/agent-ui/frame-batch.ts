interface Batch<Frame> {
  add: (frame: Frame) => void;
  flush: () => void;
}

/** Gathers what arrives between two pictures; a page in the background draws none, so a timer stands by. */
export function createFrameBatch<Frame>(take: (frames: Frame[]) => void): Batch<Frame> {
  let waiting: Frame[] = [];
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
