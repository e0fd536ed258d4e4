import { Outlet } from '@tanstack/react-router';
import { SessionGate } from './features/sign-in/session-gate.tsx';

/** Whoever has no session sees the sign-in page; to the others each page brings its own header. */
export function AppShell() {
  return (
    <SessionGate>
      <div className="flex h-full flex-col">
        <Outlet />
      </div>
    </SessionGate>
  );
}
