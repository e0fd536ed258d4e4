import { Outlet, useRouter } from '@tanstack/react-router';
import { useEffect, useRef, type MouseEvent } from 'react';
import { SessionGate } from '../features/sign-in/session-gate.tsx';
import { ConnectionNotice } from '../shared/page/connection-notice.tsx';
import { useLeftFailures } from '../shared/page/writes/left-writes.ts';

/** The frame of all pages; without a session it shows the sign-in page. */
export function AppShell() {
  const router = useRouter();
  const content = useRef<HTMLDivElement>(null);
  useLeftFailures();
  // A followed link disappears together with its page and the focus; the new page takes the focus.
  useEffect(
    () =>
      router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
        // The first page of a visit begins with the skip link.
        if (fromLocation === undefined) return;
        if (pathChanged && document.activeElement === document.body) content.current?.focus({ preventScroll: true });
      }),
    [router],
  );
  return (
    <SessionGate>
      <div className="relative flex h-full flex-col overflow-clip tiny:h-[36rem]">
        <a
          href="#content"
          onClick={skipToContent}
          className="absolute top-1 left-2 z-50 -translate-y-16 rounded-md bg-accent px-3 py-1.5 text-sm font-medium text-on-accent focus:translate-y-0"
        >
          Skip to content
        </a>
        <ConnectionNotice />
        <div id="content" ref={content} tabIndex={-1} className="flex min-h-0 flex-1 flex-col outline-none">
          <Outlet />
        </div>
      </div>
    </SessionGate>
  );
}

/** Focuses the first row of the page's list, else the page below its header. */
function skipToContent(event: MouseEvent) {
  event.preventDefault();
  const row = document.querySelector<HTMLElement>('main tbody a');
  if (row !== null) {
    row.focus();
    return;
  }
  const main = document.querySelector<HTMLElement>('main');
  main?.setAttribute('tabindex', '-1');
  main?.focus();
}
