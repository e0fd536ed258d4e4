import type { Extraction } from '@docwright/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { BadgeCheck, Copy, Download, Ellipsis, RotateCw } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { messageOf } from '../api/api-error.ts';
import { extractionsQuery, runExtraction, setVerified } from '../api/extractions-api.ts';
import { useSession } from '../identity/session.tsx';
import { Button } from '../ui/button.tsx';
import { Choice, type ChoiceOption } from '../ui/choice.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { useToast } from '../ui/toasts.tsx';

const RunAgainDialog = lazy(async () => ({ default: (await import('./run-again-dialog.tsx')).RunAgainDialog }));

interface ExtractionToolbarProps {
  extraction: Extraction;
  documentName: string;
  /** Which prompts' extractions there are. */
  options: ChoiceOption[];
  onChoose: (promptRevid: string) => void;
}

export function ExtractionToolbar({ extraction, documentName, options, onChoose }: ExtractionToolbarProps) {
  const { orgId, canWrite } = useSession();
  const toast = useToast();
  const queryClient = useQueryClient();
  const { document_id: documentId, prompt_revid: promptRevid } = extraction;
  const refresh = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: extractionsQuery(orgId, documentId).queryKey }),
      queryClient.invalidateQueries({ queryKey: ['documents', orgId] }),
    ]);
  const onError = (error: Error) => toast(messageOf(error), 'bad');
  const running = useMutation({
    mutationFn: () => runExtraction(orgId, documentId, promptRevid),
    onSuccess: refresh,
    onError,
  });
  const verifying = useMutation({
    mutationFn: () => setVerified(orgId, documentId, promptRevid, !extraction.is_verified),
    onSuccess: refresh,
    onError,
  });
  const [asking, setAsking] = useState(false);
  const json = () => JSON.stringify(extraction.result, null, 2);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(json());
      toast('The values are copied as JSON.');
    } catch {
      toast('The browser did not allow copying. Download the JSON instead.', 'bad');
    }
  };

  const byHand = extraction.is_edited || extraction.is_verified;
  const onRun = () => (byHand ? setAsking(true) : running.mutate());

  return (
    <div className="flex shrink-0 items-center gap-1.5 border-b border-line px-3 py-1.5">
      <Choice label="Prompt" value={promptRevid} options={options} onChange={onChoose} className="mr-auto" />
      {canWrite && (
        <>
          <Button
            size="small"
            look={extraction.is_verified ? 'good' : 'secondary'}
            aria-pressed={extraction.is_verified}
            disabled={verifying.isPending}
            onClick={() => verifying.mutate()}
          >
            <BadgeCheck aria-hidden className="size-4" />
            {extraction.is_verified ? 'Verified' : 'Verify'}
          </Button>
          <Button size="small" disabled={running.isPending} onClick={onRun}>
            {running.isPending ? <Spinner /> : <RotateCw aria-hidden className="size-4" />}
            {running.isPending ? 'Running…' : 'Run again'}
          </Button>
        </>
      )}
      <Menu
        trigger={
          <IconButton label="Copy or download">
            <Ellipsis className="size-4" />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => void copy()}>
          <Copy aria-hidden /> Copy as JSON
        </MenuItem>
        <MenuItem onSelect={() => saveFile(`${documentName.replace(/\.[^.]+$/, '')}.json`, json())}>
          <Download aria-hidden /> Download JSON
        </MenuItem>
      </Menu>
      <Suspense>
        {asking && (
          <RunAgainDialog
            onClose={() => setAsking(false)}
            onRun={() => {
              setAsking(false);
              running.mutate();
            }}
          />
        )}
      </Suspense>
    </div>
  );
}

function saveFile(name: string, text: string) {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}
