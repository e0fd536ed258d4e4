/** Counts the cost of calls in watched threads of this process. */
export type ThreadSpending = ReturnType<typeof createThreadSpending>;

export function createThreadSpending() {
  const spent = new Map<string, number>();
  return {
    open(threadId: string): void {
      spent.set(threadId, 0);
    },
    /** Adds to an open thread; ignores others. */
    add(threadId: string, spu: number): void {
      const known = spent.get(threadId);
      if (known !== undefined) spent.set(threadId, known + spu);
    },
    /** Stops counting and returns the cost since `open`. */
    close(threadId: string): number {
      const sum = spent.get(threadId) ?? 0;
      spent.delete(threadId);
      return sum;
    },
  };
}
