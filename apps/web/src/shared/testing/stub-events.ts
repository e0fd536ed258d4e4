import { vi } from 'vitest';

/** Replaces `EventSource` until `vi.unstubAllGlobals()`. Returns a function that sends an event to all its listeners. */
export function stubEvents(): () => void {
  const listeners: (() => void)[] = [];
  class Events {
    static readonly CLOSED = 2;
    addEventListener(_type: string, listener: (event: { data: string }) => void): void {
      listeners.push(() => listener({ data: '{}' }));
    }
    close(): void {}
  }
  vi.stubGlobal('EventSource', Events);
  return () => {
    for (const listener of listeners) listener();
  };
}
