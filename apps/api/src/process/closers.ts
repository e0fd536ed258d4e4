export interface Closers {
  add(close: () => Promise<unknown>): void;
  /** Closes what was opened, the last first; one that fails does not keep the others open. */
  closeAll(): Promise<void>;
}

export function createClosers(): Closers {
  const closers: (() => Promise<unknown>)[] = [];
  return {
    add: (close) => void closers.push(close),
    async closeAll() {
      const failures: unknown[] = [];
      for (const close of closers.splice(0).reverse()) {
        await close().catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) throw new AggregateError(failures, 'not everything closed');
    },
  };
}
