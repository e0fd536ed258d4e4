interface Batch<Frame> {
  add: (frame: Frame) => void;
  flush: () => void;
}

/** Batches events per animation frame; a page in the background has no frames, so a timer flushes there. */
export function createFrameBatch<Frame>(onBatch: (frames: Frame[]) => void): Batch<Frame> {
  let pending: Frame[] = [];
  let animationFrame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    cancelAnimationFrame(animationFrame);
    clearTimeout(timer);
    timer = undefined;
    const frames = pending;
    pending = [];
    if (frames.length > 0) onBatch(frames);
  };
  return {
    add: (frame) => {
      pending.push(frame);
      if (timer !== undefined) return;
      animationFrame = requestAnimationFrame(flush);
      timer = setTimeout(flush, 250);
    },
    flush,
  };
}
