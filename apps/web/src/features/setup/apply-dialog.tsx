import type { AppliedConversation, Uncertainty } from '@docwright/contract';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';
import { ApiError, messageOf } from '../../shared/http/api-error.ts';
import { applyConversation } from '../../shared/api/pipeline-agent-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { CheckField } from '../../shared/ui/fields/check-field.tsx';
import { Dialog } from '../../shared/ui/dialogs/dialog.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { TextField } from '../../shared/ui/fields/text-field.tsx';

interface ApplyDialogProps {
  conversationId: string;
  /** The suggested name of the collection. */
  name: string;
  documentCount: number | undefined;
  /** Blocking uncertainties that are not resolved. */
  blocking: Uncertainty[];
  onApplied: (applied: AppliedConversation) => void;
  /** Called when the server refuses, since the page is out of date. */
  onOutdated: () => void;
  onClose: () => void;
}

/** Applies the pipeline, which creates the collection. With blocking uncertainties it needs a confirmation. */
export function ApplyDialog(props: ApplyDialogProps) {
  const { conversationId, documentCount, blocking, onApplied, onOutdated, onClose } = props;
  const { orgId } = useSession();
  const [name, setName] = useState(props.name);
  const [accepted, setAccepted] = useState(false);
  const isBlocked = blocking.length > 0;
  const isStarted = useRef(false);
  const applying = useMutation({
    mutationFn: () =>
      applyConversation(orgId, conversationId, { collection_name: name.trim(), force: isBlocked && accepted }),
    onSuccess: onApplied,
    onSettled: (_applied, error) => {
      if (error === null) return;
      isStarted.current = false;
      if (error instanceof ApiError && error.status < 500) onOutdated();
    },
  });
  const ready = name.trim() !== '' && (!isBlocked || accepted) && !applying.isPending && !applying.isSuccess;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    // A double click applies once.
    if (!ready || isStarted.current) return;
    isStarted.current = true;
    applying.mutate();
  };
  const documents =
    documentCount === undefined
      ? 'the documents of the source'
      : documentCount === 1
        ? 'one document'
        : `${documentCount.toLocaleString()} documents`;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Apply the pipeline"
      description={`It runs on ${documents} and creates a searchable collection. This ends the conversation.`}
    >
      <form onSubmit={onSubmit} className="flex flex-col gap-3">
        <TextField
          label="Name of the collection"
          required
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        {isBlocked && (
          <>
            <Notice tone="bad">
              <p className="font-medium">
                {blocking.length === 1 ? '1 blocking question:' : `${blocking.length} things block this:`}
              </p>
              <ul className="mt-1 max-h-40 list-disc overflow-y-auto pl-4">
                {blocking.map(({ id, message }) => (
                  <li key={id} className="wrap-anywhere">
                    {message}
                  </li>
                ))}
              </ul>
            </Notice>
            <CheckField label="Apply anyway" checked={accepted} onChange={setAccepted}>
              Better: resolve it, or let the agent adjust the pipeline.
            </CheckField>
          </>
        )}
        {applying.isError && <Notice tone="bad">{messageOf(applying.error)}</Notice>}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Not yet</Button>
          <Button type="submit" look={isBlocked ? 'danger' : 'primary'} disabled={!ready}>
            {applying.isPending ? 'Applying…' : isBlocked ? 'Apply anyway' : 'Apply'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
