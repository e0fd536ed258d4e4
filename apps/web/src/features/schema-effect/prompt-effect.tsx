import type { ResponseFormat, SchemaUser } from '@docwright/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { estimateQuery, evaluationQuery, startEvaluation, stopEvaluation } from '../../shared/api/evaluations-api.ts';
import { effectLabel, evidenceTone } from '../../shared/evaluation/evidence-labels.ts';
import {
  Differences,
  EvidenceLine,
  evidenceLooks,
  RunningEvaluation,
} from '../../shared/evaluation/measured-parts.tsx';
import { counted } from '../../shared/formats/counted.ts';
import { messageOf } from '../../shared/http/api-error.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';

interface PromptEffectProps {
  prompt: SchemaUser;
  isChosen: boolean;
  /** The fields of the new version. */
  format: ResponseFormat;
  onToggle: () => void;
}

/** A prompt that a change of its schema concerns; measures the change on its verified documents. */
export function PromptEffect({ prompt, isChosen, format, onToggle }: PromptEffectProps) {
  const { orgId } = useSession();
  const queries = useQueryClient();
  const { prompt_id, name, schema_version, documents, documents_verified } = prompt;
  const change = { prompt_id, response_format: format };
  const estimate = useQuery({ ...estimateQuery(orgId, change), enabled: documents_verified > 0 });
  const [id, setId] = useState<string>();
  const evaluation = useQuery({ ...evaluationQuery(orgId, id ?? ''), enabled: id !== undefined }).data;
  const starting = useMutation({
    mutationFn: () => startEvaluation(orgId, change),
    onSuccess: (started) => {
      queries.setQueryData(evaluationQuery(orgId, started.id).queryKey, started);
      setId(started.id);
    },
  });
  const stopping = useMutation({ mutationFn: (running: string) => stopEvaluation(orgId, running) });
  const facts = [
    `on version ${schema_version}`,
    documents === 0 ? 'no results' : counted(documents, 'document'),
    ...(documents_verified > 0 ? [`${documents_verified} verified`] : []),
  ];
  const error = starting.error ?? estimate.error ?? stopping.error;
  return (
    <li className="flex flex-col gap-1.5 rounded-md border border-line p-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <label className="flex min-w-0 flex-1 basis-52 items-baseline gap-2 text-sm">
          <input type="checkbox" checked={isChosen} className="accent-[var(--accent)]" onChange={onToggle} />
          <span className="min-w-0 wrap-anywhere">
            {name}
            <span className="block text-xs text-ink-soft">{facts.join(' · ')}</span>
          </span>
        </label>
        {documents_verified > 0 && evaluation === undefined && (
          <Button
            size="small"
            disabled={starting.isPending || estimate.data === undefined}
            onClick={() => starting.mutate()}
          >
            <FlaskConical aria-hidden className="size-3.5" /> Measure on{' '}
            {counted(estimate.data?.documents ?? documents_verified, 'verified document')}
            {estimate.data !== undefined && `, about ${estimate.data.spu_estimated} SPU`}
          </Button>
        )}
      </div>
      {documents_verified === 0 && (
        <p className="text-xs text-ink-soft">Not measurable: no document of this prompt is verified.</p>
      )}
      {error !== null && <Notice tone="bad">{messageOf(error)}</Notice>}
      {evaluation?.ended_at === null && (
        <RunningEvaluation evaluation={evaluation} onStop={() => stopping.mutate(evaluation.id)} />
      )}
      {evaluation !== undefined && evaluation.ended_at !== null && (
        <>
          <output>
            <EvidenceLine className={evidenceLooks[evidenceTone(evaluation)]}>
              <FlaskConical aria-hidden className="size-4 shrink-0" /> {effectLabel(evaluation)}
            </EvidenceLine>
          </output>
          {evaluation.documents.done > 0 && <Differences orgId={orgId} evaluation={evaluation} />}
        </>
      )}
    </li>
  );
}
