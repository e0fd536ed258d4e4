import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../../shared/ui/parts/lazy-part.tsx';
import { secondFactorQuery, sessionsQuery } from '../../../shared/api/account/identity-api.ts';
import { formatMoment } from '../../../shared/formats/format-document.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { RetryNotice } from '../../../shared/ui/retry-notice.tsx';
import { useToast } from '../../../shared/ui/toasts.tsx';
import { CopyButton } from '../../../shared/ui/copy-button.tsx';

const EnrolDialog = lazyPart(async () => ({ default: (await import('./enrol-dialog.tsx')).EnrolDialog }));
const CodeDialog = lazyPart(async () => ({ default: (await import('./code-dialog.tsx')).CodeDialog }));

/** Below this number of recovery codes, a warning is shown. */
const fewCodes = 3;

/** Turns two-step sign-in on and off, and renews the recovery codes. */
export function SecondFactorSettings() {
  const queryClient = useQueryClient();
  const toast = useToast();
  const state = useQuery(secondFactorQuery);
  const [open, setOpen] = useState<'enrol' | 'renew' | 'remove'>();
  const [codes, setCodes] = useState<string[]>();
  const close = () => setOpen(undefined);
  const changed = async (recoveryCodes?: string[]) => {
    close();
    setCodes(recoveryCodes);
    await Promise.all(
      [secondFactorQuery, sessionsQuery].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })),
    );
  };
  return (
    <>
      {state.isError && <RetryNotice error={state.error} retry={() => void state.refetch()} />}
      {codes !== undefined && <RecoveryCodes codes={codes} onDone={() => setCodes(undefined)} />}
      {state.data?.enabled === false && (
        <Button className="self-start" onClick={() => setOpen('enrol')}>
          Turn on two-step sign-in
        </Button>
      )}
      {state.data?.enabled === true && (
        <>
          <p className="text-sm text-ink-soft">
            On since {formatMoment(state.data.enabled_at ?? '')} · {state.data.recovery_codes_left} recovery codes left
          </p>
          {state.data.recovery_codes_left < fewCodes && codes === undefined && (
            <Notice tone="warn" className="max-w-xl">
              Few recovery codes are left. Without one, a lost phone locks you out.
            </Notice>
          )}
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setOpen('renew')}>New recovery codes</Button>
            <Button onClick={() => setOpen('remove')}>Turn off</Button>
          </div>
        </>
      )}
      <Suspense>
        {open === 'enrol' && (
          <EnrolDialog
            onClose={close}
            onEnabled={async (recoveryCodes) => {
              await changed(recoveryCodes);
              toast('Two-step sign-in is on. Your other sessions have ended.');
            }}
          />
        )}
        {(open === 'renew' || open === 'remove') && (
          <CodeDialog
            purpose={open}
            onClose={close}
            onDone={async (recoveryCodes) => {
              await changed(recoveryCodes);
              toast(open === 'renew' ? 'The old recovery codes no longer work.' : 'Two-step sign-in is off.');
            }}
          />
        )}
      </Suspense>
    </>
  );
}

/** Shown only once. */
function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  return (
    <Notice tone="good" className="max-w-xl">
      <p>Keep these recovery codes away from your phone. Each works once. They are shown only once.</p>
      <ul aria-label="Recovery codes" className="my-2 grid w-fit grid-cols-2 gap-x-6 gap-y-1 font-mono text-xs">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <p className="flex flex-wrap gap-2">
        <CopyButton text={codes.join('\n')} label="Copy" />
        <Button size="small" onClick={onDone}>
          I have saved them
        </Button>
      </p>
    </Notice>
  );
}
