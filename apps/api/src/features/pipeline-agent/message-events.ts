import type { AgentMessageEvent } from '@docwright/contract';

/** What is said while a message is answered, kept until its end for whoever reads along. */
export interface MessageEvents {
  readonly say: (event: AgentMessageEvent) => void;
  /** From the first one to `done` or `error`, or until the signal. */
  readonly follow: (signal: AbortSignal) => AsyncGenerator<AgentMessageEvent>;
}

export function createMessageEvents(): MessageEvents {
  const said: AgentMessageEvent[] = [];
  let wake = Promise.withResolvers<void>();
  return {
    say(event) {
      const last = said.at(-1);
      if (last?.type === 'done' || last?.type === 'error') return;
      said.push(event);
      wake.resolve();
      wake = Promise.withResolvers();
    },
    async *follow(signal) {
      const gone = Promise.withResolvers<void>();
      signal.addEventListener('abort', () => gone.resolve(), { once: true });
      for (let at = 0; !signal.aborted;) {
        const event = said[at];
        if (event === undefined) {
          await Promise.race([wake.promise, gone.promise]);
          continue;
        }
        at += 1;
        yield event;
        if (event.type === 'done' || event.type === 'error') return;
      }
    },
  };
}
