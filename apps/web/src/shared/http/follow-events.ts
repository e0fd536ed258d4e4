import { reportFailure } from './connection.ts';

interface FollowedEvents {
  path: string;
  /** The names of the events that are followed. */
  types: readonly string[];
  /** Before each connection: what comes first may follow on anything. */
  onOpen?: () => void;
  onEvent: (data: string) => void;
  /** The server has refused; it is asked again after a while. */
  onRefused: () => void;
  reopenAfterMs: number;
}

/**
 * Follows events of the server while the page is in sight, until the answer is called. A page in the background closes
 * its connection, for a browser has few of them for one server.
 */
export function followEvents({ path, types, onOpen, onEvent, onRefused, reopenAfterMs }: FollowedEvents): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const close = () => {
    clearTimeout(timer);
    source?.close();
    source = undefined;
  };
  const open = () => {
    close();
    if (document.visibilityState === 'hidden') return;
    onOpen?.();
    source = new EventSource(path);
    const onFrame = (event: MessageEvent<string>) => onEvent(event.data);
    for (const type of types) source.addEventListener(type, onFrame);
    source.addEventListener('error', () => {
      reportFailure();
      // EventSource reconnects by itself after a broken connection, but not after a refusal.
      if (source?.readyState !== EventSource.CLOSED) return;
      onRefused();
      timer = setTimeout(open, reopenAfterMs);
    });
  };
  open();
  document.addEventListener('visibilitychange', open);
  return () => {
    document.removeEventListener('visibilitychange', open);
    close();
  };
}
