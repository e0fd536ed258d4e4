import type { Document } from '@docwright/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { MessageSquareText, Play, ScanText } from 'lucide-react';
import { messageOf } from '../../shared/http/api-error.ts';
import { isBusy } from '../../shared/api/documents-api.ts';
import { extractionsQuery, runExtraction } from '../../shared/api/extractions-api.ts';
import { promptsQuery } from '../../shared/api/library-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { EmptyState } from '../../shared/ui/empty-state.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { RunningExtraction } from './running-extraction.tsx';
import { Spinner } from '../../shared/ui/spinner.tsx';
import { useStoredValue } from '../../shared/ui/browser/stored-value.ts';
import { useConfirmedRun } from './use-confirmed-run.tsx';

interface EmptyExtractionProps {
  document: Document;
  onAskAgent: () => void;
}

/** Shown instead of values: the reason that there are none, or how to extract them. */
export function EmptyExtraction({ document, onAskAgent }: EmptyExtractionProps) {
  const { orgId, canWrite } = useSession();
  const queryClient = useQueryClient();
  const prompts = useQuery(promptsQuery(orgId)).data?.prompts ?? [];
  // Stored for a reload: the document does not say which prompt runs.
  const [run, storeRun] = useStoredValue(`docwright.run.${document.id}`);
  const running = useMutation({
    mutationFn: (promptRevid: string) => runExtraction(orgId, document.id, { promptRevid }),
    onMutate: (promptRevid) => storeRun(promptRevid),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: extractionsQuery(orgId, document.id).queryKey }),
  });
  const confirmedRun = useConfirmedRun(document.id, ({ revid }) => running.mutate(revid));
  if (document.state === 'ocr_failed') {
    return (
      <EmptyState icon={ScanText} title="There is no text to extract from">
        {document.state_error?.message ?? 'The pages could not be read.'}
      </EmptyState>
    );
  }
  if (document.state === 'llm_processing' && run !== null) {
    return (
      <div className="overflow-auto">
        <RunningExtraction documentId={document.id} promptRevid={run} showsValues />
      </div>
    );
  }
  if (document.state === 'llm_processing') {
    return (
      <EmptyState icon={ScanText} title="An extraction is running">
        The values appear here when it is done.
      </EmptyState>
    );
  }
  if (isBusy(document)) {
    return (
      <EmptyState icon={ScanText} title="The pages are being read">
        You can extract when this is done.
      </EmptyState>
    );
  }
  if ((document.waiting_calls ?? 0) > 0) {
    return (
      <EmptyState
        icon={MessageSquareText}
        title="The agent waits for your approval"
        actions={
          <Button look="primary" onClick={onAskAgent}>
            Decide
          </Button>
        }
      >
        {document.waiting_calls === 1 ? 'One call needs' : `${document.waiting_calls} calls need`} your decision before
        there are values.
      </EmptyState>
    );
  }
  return (
    <div className="overflow-auto">
      <EmptyState
        icon={MessageSquareText}
        title="Nothing extracted yet"
        actions={
          <Button look="primary" onClick={onAskAgent}>
            Ask the agent
          </Button>
        }
      >
        Ask the agent for a schema of this document and its extraction. It proposes each step and waits for your
        approval.
      </EmptyState>
      {canWrite && prompts.length > 0 && (
        <section aria-label="Prompts" className="mx-auto max-w-96 px-4 pb-6">
          <h3 className="mb-1 text-xs font-semibold text-ink-soft">Or run a prompt you have</h3>
          <ul className="divide-y divide-line rounded-md border border-line bg-raised">
            {prompts.slice(0, 8).map((prompt) => (
              <li key={prompt.prompt_id} className="flex items-center gap-2 py-1 pr-1 pl-3">
                <span className="min-w-0 flex-1 text-sm">
                  <span className="block truncate">{prompt.name}</span>
                  {prompt.newest_schema_version !== undefined && (
                    <span className="block text-xs text-warn">
                      Does not find what version {prompt.newest_schema_version} of its schema has added
                    </span>
                  )}
                </span>
                <Button
                  size="small"
                  look="quiet"
                  disabled={running.isPending || confirmedRun.isEstimating}
                  onClick={() => confirmedRun.start({ revid: prompt.prompt_revid })}
                >
                  {running.isPending && running.variables === prompt.prompt_revid ? (
                    <Spinner />
                  ) : (
                    <Play aria-hidden className="size-3.5" />
                  )}
                  Run
                </Button>
              </li>
            ))}
          </ul>
          {confirmedRun.dialog}
          {running.isError && (
            <Notice tone="bad" className="mt-2">
              {messageOf(running.error)}
            </Notice>
          )}
        </section>
      )}
    </div>
  );
}
