import type { Uncertainty } from '@docwright/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState, type FormEvent } from 'react';
import { messageOf } from '../../../shared/http/api-error.ts';
import { conversationKey, resolveUncertainty } from '../../../shared/api/pipeline-agent-api.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { inputClass } from '../../../shared/ui/fields/text-field.tsx';
import { resolutions } from '../state/setup-labels.ts';

/** Resolves one uncertainty with a preset or the user's own words. */
export function UncertaintyResolution({
  uncertainty: { id, message },
  conversationId,
  onResolved,
}: {
  uncertainty: Uncertainty;
  conversationId: string;
  onResolved: (more: number) => void;
}) {
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  const field = useId();
  const [open, setOpen] = useState(false);
  const first = useRef<HTMLButtonElement>(null);
  const openButton = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  // Opening and closing remove the pressed button, so the focus moves on.
  useEffect(() => {
    if (open) first.current?.focus();
    else if (wasOpen.current) openButton.current?.focus();
    wasOpen.current = open;
  }, [open]);
  const [own, setOwn] = useState('');
  const resolving = useMutation({
    mutationFn: (resolvedBy: string) => resolveUncertainty(orgId, conversationId, id, resolvedBy),
    onSuccess: (conversation) => {
      onResolved(1);
      queryClient.setQueryData(conversationKey(orgId, conversationId), conversation);
    },
  });
  const busy = resolving.isPending || resolving.isSuccess;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (own.trim() !== '') resolving.mutate(own.trim());
  };
  if (!open) {
    return (
      <button
        ref={openButton}
        type="button"
        aria-label={`Resolve: ${message}`}
        onClick={() => setOpen(true)}
        className="mt-1 rounded-sm text-xs font-medium underline underline-offset-2"
      >
        Resolve…
      </button>
    );
  }
  return (
    <div className="mt-2 flex flex-col gap-1.5">
      <div className="flex flex-wrap gap-1.5">
        {resolutions.map(({ value, label }, at) => (
          <Button
            key={value}
            size="small"
            disabled={busy}
            ref={at === 0 ? first : undefined}
            onClick={() => resolving.mutate(value)}
          >
            {label}
          </Button>
        ))}
        <Button size="small" look="quiet" disabled={busy} onClick={() => setOpen(false)}>
          Leave it open
        </Button>
      </div>
      <form onSubmit={onSubmit} className="flex gap-1.5">
        <label htmlFor={field} className="sr-only">
          How it was resolved
        </label>
        <input
          id={field}
          maxLength={200}
          placeholder="Or in your own words"
          value={own}
          disabled={busy}
          onChange={(event) => setOwn(event.target.value)}
          className={`${inputClass} h-7 max-w-96`}
        />
        <Button size="small" type="submit" disabled={busy || own.trim() === ''}>
          Resolve
        </Button>
      </form>
      {resolving.isError && (
        <p role="alert" className="text-xs text-bad">
          {messageOf(resolving.error)}
        </p>
      )}
    </div>
  );
}
