/** Counts the cost of calls in watched threads of this process. */
export interface ThreadSpending {
  open(threadId: string): void;
  /** Adds to an open thread; ignores others. */
  add(threadId: string, spu: number): void;
  /** Stops counting and returns the cost since `open`. */
  close(threadId: string): number;
}

export function createThreadSpending(): ThreadSpending {
  const spent = new Map<string, number>();
  return {
    open(threadId) {
      spent.set(threadId, 0);
    },
    add(threadId, spu) {
      const known = spent.get(threadId);
      if (known !== undefined) spent.set(threadId, known + spu);
    },
    close(threadId) {
      const sum = spent.get(threadId) ?? 0;
      spent.delete(threadId);
      return sum;
    },
  };
}
