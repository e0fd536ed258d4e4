/**
 * Whether the server answers. Every request reports here; while the server does not answer, it is asked again every
 * two seconds, so that a page that sends nothing notices its return too.
 */
export interface Connection {
  subscribe: (onChange: () => void) => () => void;
  isLost: () => boolean;
}

const retryMs = 2000;
const listeners = new Set<() => void>();
let isLost = false;
let timer: ReturnType<typeof setTimeout> | undefined;

export const connection: Connection = {
  subscribe(onChange) {
    listeners.add(onChange);
    return () => listeners.delete(onChange);
  },
  isLost: () => isLost,
};

function set(lost: boolean): void {
  if (isLost === lost) return;
  isLost = lost;
  for (const onChange of listeners) onChange();
}

/** A request got an answer, whatever it says. */
export function reportAnswer(): void {
  clearTimeout(timer);
  timer = undefined;
  set(false);
}

/** A request or a stream broke. One broken request proves nothing: the server is asked before anybody is told. */
export function reportFailure(): void {
  if (timer !== undefined) return;
  const ask = async () => {
    try {
      await fetch('/health', { cache: 'no-store', signal: AbortSignal.timeout(retryMs) });
      reportAnswer();
    } catch {
      set(true);
      timer = setTimeout(() => void ask(), retryMs);
    }
  };
  timer = setTimeout(() => void ask(), 0);
}
