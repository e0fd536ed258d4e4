import type { Uncertainty, UncertaintySeverity } from '@docwright/contract';
import { CircleAlert, CircleCheck, Info, TriangleAlert, type LucideIcon } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { classNames } from '../../../shared/ui/class-names.ts';
import { severityLabels, resolutionLabel } from '../state/setup-labels.ts';
import { UncertaintyResolution } from './uncertainty-resolution.tsx';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../../../shared/http/api-error.ts';
import { conversationKey, resolveUncertainty } from '../../../shared/api/pipeline-agent-api.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { useToast } from '../../../shared/ui/toasts.tsx';

const severities: { severity: UncertaintySeverity; Icon: LucideIcon; look: string }[] = [
  { severity: 'blocking', Icon: CircleAlert, look: 'bg-bad-soft [&>svg]:text-bad' },
  { severity: 'notable', Icon: TriangleAlert, look: 'bg-warn-soft [&>svg]:text-warn' },
  { severity: 'info', Icon: Info, look: 'bg-accent-soft [&>svg]:text-accent' },
];

/** More uncertainties of one severity are shown on demand. */
const maxShown = 3;

interface UncertaintyListProps {
  uncertainties: Uncertainty[];
  conversationId: string;
  /** Whether they can be resolved. */
  canResolve: boolean;
}

/** Lists the agent's uncertainties, the gravest first; resolved ones are folded. */
export function UncertaintyList({ uncertainties, conversationId, canResolve }: UncertaintyListProps) {
  const resolved = uncertainties.filter((each) => each.resolved);
  const [focusAt, setFocusAt] = useState<number>();
  const onResolved = (more: number) => setFocusAt(resolved.length + more);
  const summary = useRef<HTMLElement>(null);
  const count = resolved.length;
  // The focused button disappears with its uncertainty, so the summary gets the focus.
  useEffect(() => {
    if (count === focusAt) summary.current?.focus({ preventScroll: true });
  }, [count, focusAt]);
  if (uncertainties.length === 0) return null;
  return (
    <section aria-label="Open questions" className="flex min-w-0 flex-col gap-2">
      {severities.map(({ severity, Icon, look }) => (
        <Severity
          key={severity}
          found={uncertainties.filter((each) => !each.resolved && each.severity === severity)}
          severity={severity}
          Icon={Icon}
          look={look}
          conversationId={conversationId}
          canResolve={canResolve}
          onResolved={onResolved}
        />
      ))}
      {resolved.length > 0 && (
        <details className="text-sm">
          <summary ref={summary} className="cursor-pointer rounded-sm text-ink-soft hover:text-ink">
            {resolved.length} resolved
          </summary>
          <ul className="mt-1 flex max-h-64 flex-col gap-1 overflow-y-auto">
            {resolved.map(({ id, message, resolved_by }) => (
              <li key={id} className="flex gap-2 text-ink-soft">
                <CircleCheck aria-hidden className="mt-0.5 size-3.5 shrink-0 text-good" />
                <span className="min-w-0 wrap-anywhere">
                  {message} <span className="text-ink-faint">{resolutionLabel(resolved_by)}</span>
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

interface SeverityProps {
  found: Uncertainty[];
  severity: UncertaintySeverity;
  Icon: LucideIcon;
  look: string;
  conversationId: string;
  canResolve: boolean;
  onResolved: (more: number) => void;
}

function Severity({ found, severity, Icon, look, conversationId, canResolve, onResolved }: SeverityProps) {
  const [all, setAll] = useState(false);
  if (found.length === 0) return null;
  const { label, help } = severityLabels[severity];
  const shown = all ? found : found.slice(0, maxShown);
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <h2 className="flex flex-wrap items-baseline gap-x-2 text-sm font-medium">
        {label} <span className="font-normal text-ink-soft tabular-nums">{found.length}</span>
        <span className="text-xs font-normal text-ink-faint">{help}</span>
      </h2>
      {canResolve && severity !== 'blocking' && found.length > maxShown && (
        <ResolveAll uncertainties={found} conversationId={conversationId} onResolved={onResolved} />
      )}
      <ul className="flex min-w-0 flex-col gap-1.5">
        {shown.map((each) => (
          <li key={each.id} className={classNames('flex min-w-0 items-start gap-2 rounded-md px-3 py-2 text-sm', look)}>
            <Icon aria-hidden className="mt-px size-4 shrink-0" />
            <div className="min-w-0 flex-1">
              <p className="wrap-anywhere">{each.message}</p>
              {canResolve && (
                <UncertaintyResolution uncertainty={each} conversationId={conversationId} onResolved={onResolved} />
              )}
            </div>
          </li>
        ))}
      </ul>
      {found.length > maxShown && (
        <button
          type="button"
          aria-expanded={all}
          onClick={() => setAll(!all)}
          className="self-start rounded-sm text-sm font-medium text-accent hover:underline"
        >
          {all ? 'Show fewer' : `Show all ${found.length}`}
        </button>
      )}
    </div>
  );
}

interface ResolveAllProps {
  /** Uncertainties that do not block. */
  uncertainties: Uncertainty[];
  conversationId: string;
  onResolved: (more: number) => void;
}

/** Accepts many uncertainties one after another; if one fails, the earlier ones stay resolved. */
function ResolveAll({ uncertainties, conversationId, onResolved }: ResolveAllProps) {
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  const toast = useToast();
  const resolving = useMutation({
    mutationFn: async () => {
      for (const { id } of uncertainties) await resolveUncertainty(orgId, conversationId, id, 'user_confirmed');
    },
    onSuccess: () => onResolved(uncertainties.length),
    onError: (error) => toast(messageOf(error), 'bad'),
    onSettled: () => queryClient.invalidateQueries({ queryKey: conversationKey(orgId, conversationId) }),
  });
  return (
    <Button size="small" className="self-start" disabled={resolving.isPending} onClick={() => resolving.mutate()}>
      {resolving.isPending ? 'Resolving…' : `Accept all ${uncertainties.length} as is`}
    </Button>
  );
}
