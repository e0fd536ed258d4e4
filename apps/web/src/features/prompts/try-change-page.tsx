import type { Evaluation, Prompt } from '@docwright/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { FlaskConical, Play, RotateCw } from 'lucide-react';
import { useState } from 'react';
import {
  estimateQuery,
  evaluationQuery,
  startEvaluation,
  stopEvaluation,
  type PromptChange,
} from '../../shared/api/evaluations-api.ts';
import { modelsQuery } from '../../shared/api/models-api.ts';
import { promptsKey, promptVersionsQuery, updatePrompt } from '../../shared/api/prompts-api.ts';
import { TextDifference } from '../../shared/difference/text-difference.tsx';
import { EvidenceLine, RunningEvaluation } from '../../shared/evaluation/measured-parts.tsx';
import { ApiError, messageOf } from '../../shared/http/api-error.ts';
import { LoadingPage } from '../../shared/page/loading-page.tsx';
import { Page, BackLink } from '../../shared/page/page.tsx';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { UnsavedGuard } from '../../shared/ui/dialogs/unsaved-guard.tsx';
import { SelectField } from '../../shared/ui/fields/select-field.tsx';
import { TextAreaField } from '../../shared/ui/fields/text-area-field.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { useDebounced } from '../../shared/ui/browser/use-debounced.ts';
import { NothingVerified } from './accuracy-page.tsx';
import { ExamplesField } from './examples-field.tsx';
import { MeasuredOutcome } from './measured-outcome.tsx';
import { PromptLinks } from './prompt-links.tsx';
import { counted } from '../../shared/formats/counted.ts';
import { useChange } from '../../shared/page/use-change.ts';

const route = getRouteApi('/prompts/$promptId/try');

/** Measures the effect of a change on verified results before it is saved. */
export function TryChangePage() {
  const { promptId } = route.useParams();
  const { evaluation: id } = route.useSearch();
  const { orgId } = useSession();
  const versions = useQuery(promptVersionsQuery(orgId, promptId));
  const measured = useQuery({ ...evaluationQuery(orgId, id ?? ''), enabled: id !== undefined });
  const [prompt] = versions.data?.prompts ?? [];
  const ofThisPrompt = measured.data?.prompt_id === promptId ? measured.data : undefined;
  if (prompt === undefined || (id !== undefined && measured.isPending)) {
    return (
      <LoadingPage
        title="Try a change"
        back={<BackLink to="/prompts">Prompts</BackLink>}
        error={versions.error}
        retry={() => void versions.refetch()}
      />
    );
  }
  return <TryChange key={promptId} prompt={prompt} evaluation={id === undefined ? undefined : ofThisPrompt} />;
}

function TryChange({ prompt, evaluation }: { prompt: Prompt; evaluation: Evaluation | undefined }) {
  const { orgId, canWrite } = useSession();
  const promptId = prompt.prompt_id;
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [content, setContent] = useState(evaluation?.candidate.content ?? prompt.content);
  const [model, setModel] = useState(evaluation?.candidate.model ?? '');
  // What is saved follows the version that the user began with.
  const [base_version] = useState(prompt.prompt_version);
  const examplesNow = prompt.examples?.count ?? 0;
  const [examples, setExamples] = useState(evaluation?.candidate.examples?.count ?? examplesNow);
  const models = useQuery(modelsQuery(orgId)).data?.models ?? [];
  const change = {
    content,
    ...(model !== '' && { model }),
    ...(examples !== examplesNow && { examples: { count: examples } }),
  };
  const tried: PromptChange = { prompt_id: promptId, ...change };
  // Not every key press asks for an estimate.
  const estimated = useDebounced(content, 400);
  const estimate = useQuery({
    ...estimateQuery(orgId, { ...tried, content: estimated }),
    enabled: estimated.trim() !== '',
  });
  const place = { to: '/prompts/$promptId/try', params: { promptId }, replace: true } as const;
  const starting = useMutation({
    mutationFn: () => startEvaluation(orgId, tried),
    onSuccess: async (started) => {
      queries.setQueryData(evaluationQuery(orgId, started.id).queryKey, started);
      await navigate({ ...place, search: { evaluation: started.id } });
    },
  });
  const stopping = useMutation({
    mutationFn: (id: string) => stopEvaluation(orgId, id),
    onSettled: (_answer, _error, id) => queries.invalidateQueries(evaluationQuery(orgId, id)),
  });
  const saving = useChange(() => updatePrompt(orgId, promptId, { ...change, base_version }), {
    refreshes: [promptsKey(orgId)],
    says: (saved) => `Saved as version ${saved.prompt_version}.`,
    onDone: () => navigate({ to: '/prompts/$promptId', params: { promptId }, ignoreBlocker: true }),
  });
  const differs =
    content.trim() !== prompt.content.trim() || (model !== '' && model !== prompt.model) || examples !== examplesNow;
  const isRunning = evaluation !== undefined && evaluation.ended_at === null;
  const isStale =
    evaluation !== undefined &&
    (evaluation.baseline.prompt_revid !== prompt.prompt_revid ||
      (evaluation.candidate.content ?? prompt.content).trim() !== content.trim() ||
      (evaluation.candidate.model ?? '') !== model ||
      (evaluation.candidate.examples?.count ?? examplesNow) !== examples);
  const nothingVerified = estimate.error instanceof ApiError && estimate.error.code === 'nothing_verified';
  const discard = () => {
    setContent(prompt.content);
    setModel('');
    setExamples(examplesNow);
    void navigate({ ...place, search: {} });
  };
  return (
    <Page
      title={prompt.name}
      back={<BackLink to="/prompts">Prompts</BackLink>}
      note="See what a change does to verified results before you save it."
      actions={
        canWrite && (
          <>
            <Button look="quiet" disabled={!differs || saving.isPending} onClick={discard}>
              Discard
            </Button>
            <Button
              disabled={isRunning || starting.isPending || content.trim() === '' || estimate.data === undefined}
              onClick={() => starting.mutate()}
            >
              {evaluation === undefined ? (
                <Play aria-hidden className="size-3.5" />
              ) : (
                <RotateCw aria-hidden className="size-3.5" />
              )}
              {evaluation === undefined ? 'Measure' : 'Measure again'}
            </Button>
            <Button
              look="primary"
              disabled={!differs || content.trim() === '' || saving.isPending}
              onClick={() => saving.mutate()}
            >
              {saving.isPending ? 'Saving…' : `Save as version ${prompt.prompt_version + 1}`}
            </Button>
          </>
        )
      }
    >
      {/* The evaluation in the address stores the measured change, so that leaving the page loses nothing. */}
      <UnsavedGuard
        dirty={differs && !saving.isSuccess && (evaluation === undefined || isStale)}
        harmless={['evaluation']}
      />
      <PromptLinks promptId={promptId} />
      <div className="grid items-start gap-3 md:grid-cols-[minmax(0,1fr)_16rem]">
        <TextAreaField
          label="Content"
          rows={8}
          readOnly={!canWrite}
          value={content}
          help={differs ? `Changed from version ${prompt.prompt_version}.` : `As in version ${prompt.prompt_version}.`}
          onChange={(event) => setContent(event.target.value)}
        />
        <div className="flex flex-col gap-3">
          <SelectField
            label="Model"
            value={model}
            disabled={!canWrite}
            options={[
              { value: '', label: `As now: ${prompt.model ?? 'the organization’s default'}` },
              ...models.map((each) => ({ value: each.id, label: each.id })),
            ]}
            onChange={setModel}
          />
          <ExamplesField value={examples} disabled={!canWrite} onChange={setExamples} />
        </div>
      </div>
      {content.trim() !== prompt.content.trim() && <TextDifference before={prompt.content} after={content} />}
      {[starting.error, saving.error, stopping.error].map(
        (error, index) =>
          error !== null && (
            <Notice key={index} tone="bad">
              {messageOf(error)}
            </Notice>
          ),
      )}
      {nothingVerified ? (
        <NothingVerified />
      ) : (
        estimate.isError && <Notice tone="bad">{messageOf(estimate.error)}</Notice>
      )}
      {evaluation === undefined
        ? estimate.data !== undefined && (
            <EvidenceLine>
              <FlaskConical aria-hidden className="size-4 shrink-0" />
              Not measured. {counted(estimate.data.documents, 'verified document')}, about {estimate.data.spu_estimated}{' '}
              SPU.
            </EvidenceLine>
          )
        : isRunning && <RunningEvaluation evaluation={evaluation} onStop={() => stopping.mutate(evaluation.id)} />}
      {evaluation !== undefined && !isRunning && <MeasuredOutcome evaluation={evaluation} isStale={isStale} />}
    </Page>
  );
}
