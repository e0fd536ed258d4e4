/**
 * Whether the server is reachable. Every request reports its outcome here. While the server is unreachable, a health
 * check runs every two seconds, so that an idle page notices its return too.
 */
export interface ConnectionState {
  subscribe: (onChange: () => void) => () => void;
  isLost: () => boolean;
}

const retryMs = 2000;
const listeners = new Set<() => void>();
let isLost = false;
let timer: ReturnType<typeof setTimeout> | undefined;

export const connection: ConnectionState = {
  subscribe(onChange) {
    listeners.add(onChange);
    return () => listeners.delete(onChange);
  },
  isLost: () => isLost,
};

function setLost(lost: boolean): void {
  if (isLost === lost) return;
  isLost = lost;
  for (const onChange of listeners) onChange();
}

/** A request got an answer, of any status. */
export function reportAnswer(): void {
  clearTimeout(timer);
  timer = undefined;
  setLost(false);
}

/** A request or a stream failed. One failure proves nothing: a health check decides. */
export function reportFailure(): void {
  if (timer !== undefined) return;
  const check = async () => {
    try {
      await fetch('/health', { cache: 'no-store', signal: AbortSignal.timeout(retryMs) });
      reportAnswer();
    } catch {
      setLost(true);
      timer = setTimeout(() => void check(), retryMs);
    }
  };
  timer = setTimeout(() => void check(), 0);
}
