/** What the calls of threads cost that somebody in this process keeps an eye on. */
export interface ThreadSpending {
  open(threadId: string): void;
  /** Counts for a thread that is open. */
  add(threadId: string, spu: number): void;
  /** What it has cost since it was opened; it is counted no longer. */
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
