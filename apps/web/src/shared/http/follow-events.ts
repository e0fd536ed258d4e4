import { reportFailure } from './connection.ts';

interface FollowedEvents {
  path: string;
  /** Names of the events to subscribe to. */
  types: readonly string[];
  /** Called before each connection; events may have been missed since the last one. */
  onOpen?: () => void;
  onEvent: (data: string) => void;
  /** The server rejected the connection; it is retried after `retryAfterMs`. */
  onRejected: () => void;
  retryAfterMs: number;
}

/**
 * Subscribes to server-sent events while the page is visible; returns a function that unsubscribes. A page in the
 * background closes its connection, because a browser opens only a few per server.
 */
export function followEvents({ path, types, onOpen, onEvent, onRejected, retryAfterMs }: FollowedEvents): () => void {
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
    let isStopping = false;
    source.addEventListener('stopping', () => {
      isStopping = true;
    });
    const onFrame = (event: MessageEvent<string>) => onEvent(event.data);
    for (const type of types) source.addEventListener(type, onFrame);
    source.addEventListener('error', () => {
      // A server that said that it stops is no lost connection: the next one is tried first.
      if (!isStopping) reportFailure();
      isStopping = false;
      // EventSource reconnects by itself after a broken connection, but not after an error status.
      if (source?.readyState !== EventSource.CLOSED) return;
      onRejected();
      timer = setTimeout(open, retryAfterMs);
    });
  };
  open();
  document.addEventListener('visibilitychange', open);
  return () => {
    document.removeEventListener('visibilitychange', open);
    close();
  };
}
