import type { Route } from '@docwright/contract';
import { useQueryClient } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, Pause, Pencil, Play, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { changeRoute, deleteRoute, routesKey } from '../../../shared/api/arrival/routes-api.ts';
import { StateMark } from '../../../shared/labels/state-mark.tsx';
import { panelClass } from '../../../shared/page/page.tsx';
import { useSession } from '../../../shared/session/session.tsx';
import { focusOnMount } from '../../../shared/ui/browser/focus-on-mount.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../../shared/ui/dialogs/confirm-dialog.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { thenParts, whenParts, type RouteNames } from './route-labels.ts';
import { useChange } from '../../../shared/page/use-change.ts';

interface RouteCardProps {
  route: Route;
  names: RouteNames;
  /** Its place in the order, from 0. */
  at: number;
  count: number;
  /** Absent for users who cannot change it. */
  onMove?: ((by: -1 | 1) => void) | undefined;
  isMoving: boolean;
  onEdit: () => void;
  /** After its form has closed. */
  takesFocus: boolean;
}

/** A route in words, with its actions. */
export function RouteCard({ route, names, at, count, onMove, isMoving, onEdit, takesFocus }: RouteCardProps) {
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState(false);
  const { id, name, enabled, trust, min_confidence, when } = route;
  const refresh = () => queryClient.invalidateQueries({ queryKey: routesKey(orgId) });
  const switching = useChange(() => changeRoute(orgId, id, { enabled: !enabled }), {
    onDone: refresh,
    showsError: true,
  });
  const isUncertain = when.like !== undefined || when.described_as !== undefined;
  const percent = (min_confidence * 100).toLocaleString(undefined, { maximumFractionDigits: 1 });
  return (
    <li className={`${panelClass} flex flex-col gap-2 p-3`}>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <div className="min-w-0 flex-[1_1_14rem]">
          <h3 className="font-medium wrap-anywhere">
            <span className="text-ink-faint tabular-nums">{at + 1}.</span> {name}
          </h3>
          <p className="text-sm wrap-anywhere">
            <span className="text-ink-soft">When</span> {whenParts(route, names).join(' · ')}
          </p>
          <p className="text-sm wrap-anywhere">
            <span className="text-ink-soft">Then</span> {thenParts(route, names).join(' · ')}
          </p>
          {isUncertain && (
            <p className="text-xs text-ink-soft">
              {trust ? 'Taken without asking, however sure it is.' : `A user decides below ${percent} % certainty.`}
            </p>
          )}
        </div>
        <StateMark label={enabled ? 'On' : 'Off'} tone={enabled ? 'good' : 'neutral'} />
      </div>
      {onMove && (
        <div className="flex flex-wrap items-center gap-1.5">
          <IconButton label={`Move ${name} up`} disabled={isMoving || at === 0} onClick={() => onMove(-1)}>
            <ArrowUp aria-hidden className="size-4" />
          </IconButton>
          <IconButton label={`Move ${name} down`} disabled={isMoving || at === count - 1} onClick={() => onMove(1)}>
            <ArrowDown aria-hidden className="size-4" />
          </IconButton>
          <Button size="small" ref={takesFocus ? focusOnMount : undefined} onClick={onEdit}>
            <Pencil aria-hidden className="size-3.5" /> Edit
          </Button>
          <Button size="small" disabled={switching.isPending} onClick={() => switching.mutate()}>
            {enabled ? <Pause aria-hidden className="size-3.5" /> : <Play aria-hidden className="size-3.5" />}
            {enabled ? 'Turn off' : 'Turn on'}
          </Button>
          <Button size="small" look="danger" onClick={() => setAsking(true)}>
            <Trash2 aria-hidden className="size-3.5" /> Delete…
          </Button>
        </div>
      )}
      {asking && (
        <ConfirmDialog
          title={`Delete “${name}”?`}
          description="Documents that it routed keep what they got. New documents go by the other routes."
          action="Delete"
          run={async () => {
            await deleteRoute(orgId, id);
            await refresh();
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </li>
  );
}
