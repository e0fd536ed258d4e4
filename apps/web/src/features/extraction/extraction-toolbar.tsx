import type { Document, Extraction, Prompt, Release, WithdrawnBecause } from '@docwright/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { BadgeCheck, RotateCw, Send } from 'lucide-react';
import { Suspense, useState, type ReactNode } from 'react';
import { lazyPart } from '../../shared/ui/parts/lazy-part.tsx';
import { messageOf } from '../../shared/http/api-error.ts';
import {
  extractionReviewQuery,
  extractionsQuery,
  runExtraction,
  setVerified,
} from '../../shared/api/extractions-api.ts';
import { releaseResult } from '../../shared/api/release-api.ts';
import { newestPromptQuery } from '../../shared/api/library-api.ts';
import { usePageActions } from '../../shared/page/find/page-actions.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Button, linkButtonClass } from '../../shared/ui/button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { Spinner } from '../../shared/ui/spinner.tsx';
import { useToast } from '../../shared/ui/toasts.tsx';
import { useWriteError } from './beside/unseen-change.ts';
import { useConfirmedRun, type RequestedRun } from './use-confirmed-run.tsx';
import { PromptChoice } from './prompt-choice.tsx';
import { unsavedSentence } from './use-field-draft.ts';
import { ValueMenu } from './value-menu.tsx';
import { pathsToCheck, sentenceToCheck } from './value-risk.ts';

const ConfirmDialog = lazyPart(async () => ({
  default: (await import('../../shared/ui/dialogs/confirm-dialog.tsx')).ConfirmDialog,
}));

interface ExtractionToolbarProps {
  document: Document;
  /** The one that is shown. */
  extraction: Extraction;
  extractions: Extraction[];
  onChoose: (promptRevid: string) => void;
  /** The content below. It waits for the notice of the toolbar, which would move it from under the pointer. */
  children: ReactNode;
}

export function ExtractionToolbar({ document, extraction, extractions, onChoose, children }: ExtractionToolbarProps) {
  const { orgId, canWrite } = useSession();
  const { auto_create } = document;
  // The prompt of a proposal follows its document, and is deleted if the proposal is rejected: then the result goes a moment later.
  const isProposed = auto_create?.status !== 'accepted' && auto_create?.prompt_revid === extraction.prompt_revid;
  const newest = useQuery({ ...newestPromptQuery(orgId, extraction.prompt_id), enabled: !isProposed });
  const queryClient = useQueryClient();
  const { document_id: documentId, prompt_revid: promptRevid } = extraction;
  const refresh = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: extractionsQuery(orgId, documentId).queryKey }),
      queryClient.invalidateQueries({ queryKey: ['documents', orgId] }),
    ]);
  const running = useMutation({
    mutationFn: ({ revid, ...options }: RequestedRun) =>
      runExtraction(orgId, documentId, { promptRevid: revid, ...options }),
    onSuccess: async (result) => {
      await refresh();
      onChoose(result.prompt_revid);
    },
    onError: useWriteError(extraction),
  });
  const verification = useVerification(extraction, refresh);
  const releasing = useRelease(extraction, refresh);
  const isReleased = extraction.release.state === 'released';
  /** The user's work that a new run would replace; the user confirms it first. */
  const replace = extraction.is_verified ? 'verified' : extraction.is_edited ? 'edited' : undefined;
  const confirmedRun = useConfirmedRun(documentId, (requested) => running.mutate(requested));
  const isRunning = running.isPending || confirmedRun.isEstimating;
  const runLabel = running.isPending ? 'Running…' : 'Run again';
  const onRun = () =>
    confirmedRun.start({ revid: promptRevid, baseVersion: extraction.version, ...(replace && { replace }) });

  usePageActions(
    canWrite
      ? [
          { name: extraction.is_verified ? 'Mark as not verified' : 'Verify', run: verification.start },
          { name: 'Run the extraction again', run: onRun },
          ...(isReleased ? [] : [{ name: 'Release the result', run: releasing.start }]),
        ]
      : [],
  );

  return (
    <>
      {/* In a narrow panel the name of the prompt has more use of the room than the words on the buttons. */}
      <div className="@container shrink-0 border-b border-line">
        <div className="flex items-center gap-1.5 px-3 py-1.5">
          <PromptChoice
            extraction={extraction}
            extractions={extractions}
            disabled={isRunning}
            onChoose={onChoose}
            onRun={(revid) => confirmedRun.start({ revid })}
          />
          {canWrite && (
            <>
              <Button
                size="small"
                look={extraction.is_verified ? 'good' : 'secondary'}
                aria-pressed={extraction.is_verified}
                aria-label={extraction.is_verified ? 'Verified' : 'Verify'}
                disabled={verification.isPending}
                onClick={verification.start}
              >
                <BadgeCheck aria-hidden className="size-4" />
                <span className="hidden @sm:inline">{extraction.is_verified ? 'Verified' : 'Verify'}</span>
              </Button>
              <Button
                size="small"
                look={isReleased ? 'good' : 'secondary'}
                aria-label={isReleased ? 'Released' : 'Release'}
                disabled={isReleased || releasing.isPending}
                title={releaseTitle(extraction.release)}
                onClick={releasing.start}
              >
                <Send aria-hidden className="size-4" />
                <span className={isReleased ? 'hidden @sm:inline' : 'hidden @lg:inline'}>
                  {isReleased ? 'Released' : 'Release'}
                </span>
              </Button>
              <Button size="small" aria-label={runLabel} title={runLabel} disabled={isRunning} onClick={onRun}>
                {isRunning ? <Spinner /> : <RotateCw aria-hidden className="size-4" />}
                <span className="hidden @xl:inline">{runLabel}</span>
              </Button>
            </>
          )}
          <ValueMenu extraction={extraction} documentName={document.document_name} />
        </div>
      </div>
      {confirmedRun.dialog}
      {verification.dialog}
      {releasing.dialog}
      <EarlierVersion
        newest={newest.data}
        extraction={extraction}
        extractions={extractions}
        disabled={isRunning}
        onRun={canWrite ? (revid) => confirmedRun.start({ revid }) : undefined}
      />
      {!newest.isLoading && children}
    </>
  );
}

/** Verifies a result or takes that back. Names the values to check first: a verification says that a user has looked at each. */
function useVerification(extraction: Extraction, refresh: () => Promise<unknown>) {
  const { orgId } = useSession();
  const toast = useToast();
  const queryClient = useQueryClient();
  const [asked, setAsked] = useState<{ toCheck: string[]; unsaved: string | undefined }>();
  const onError = (error: Error) => toast(messageOf(error), 'bad');
  const verify = async () => {
    await setVerified(orgId, extraction.document_id, extraction, !extraction.is_verified, { seen: true });
    await refresh();
  };
  const starting = useMutation({
    mutationFn: async () => {
      if (extraction.is_verified) return await verify();
      const { review = {} } = await queryClient.ensureQueryData(extractionReviewQuery(orgId, extraction));
      const toCheck = pathsToCheck(review);
      const unsaved = unsavedSentence(extraction);
      if (toCheck.length === 0 && unsaved === undefined) await verify();
      else setAsked({ toCheck, unsaved });
    },
    onError,
  });
  const dialog = (
    <Suspense>
      {asked && (
        <ConfirmDialog
          title={verificationTitle(asked.toCheck.length)}
          description={[asked.unsaved, sentenceToCheck(asked.toCheck)].filter(Boolean).join(' ')}
          action="Verify"
          look="primary"
          cancelLabel="Look again"
          run={verify}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Suspense>
  );
  return { start: () => starting.mutate(), isPending: starting.isPending, dialog };
}

function verificationTitle(count: number): string {
  if (count === 0) return 'Verify without what you have typed?';
  return count === 1 ? 'Is this value right?' : `Are these ${count} values right?`;
}

/** Releases a result. If the user has typed values and not saved them, asks first: they look as if they were released, too. */
function useRelease(extraction: Extraction, refresh: () => Promise<unknown>) {
  const { orgId } = useSession();
  const toast = useToast();
  const [unsaved, setUnsaved] = useState<string>();
  const release = async () => {
    await releaseResult(orgId, extraction);
    await refresh();
  };
  const releasing = useMutation({ mutationFn: release, onError: (error) => toast(messageOf(error), 'bad') });
  const start = () => {
    const sentence = unsavedSentence(extraction);
    if (sentence === undefined) releasing.mutate();
    else setUnsaved(sentence);
  };
  const dialog = (
    <Suspense>
      {unsaved !== undefined && (
        <ConfirmDialog
          title="Release without what you have typed?"
          description={unsaved}
          action="Release"
          look="primary"
          run={release}
          onClose={() => setUnsaved(undefined)}
        />
      )}
    </Suspense>
  );
  return { start, isPending: releasing.isPending, dialog };
}

const withdrawnLabels: Record<WithdrawnBecause, string> = {
  edited: 'it was edited',
  re_extracted: 'it was extracted again',
  undone: 'a write was undone',
  restored: 'an earlier version was restored',
  trashed: 'the document was in the trash',
  found_wrong: 'it was found wrong',
  replaced: 'a later version of the file was released',
};

/** Explains the state of the release in one sentence. */
function releaseTitle({ state, by, withdrawn }: Release): string {
  if (state === 'released') return by === 'policy' ? 'Released by the policy of the prompt' : 'Released by a user';
  if (withdrawn) return `Version ${withdrawn.version} was withdrawn: ${withdrawnLabels[withdrawn.because]}`;
  return 'Release this version, so that others can use it';
}

interface EarlierVersionProps {
  /** The newest version of the prompt, once it is known. */
  newest: Prompt | null | undefined;
  extraction: Pick<Extraction, 'prompt_revid'>;
  /** All results of the document. */
  extractions: readonly Extraction[];
  disabled: boolean;
  /** Undefined for users who cannot write. */
  onRun: ((promptRevid: string) => void) | undefined;
}

/** Says that the shown values are of an earlier version of the prompt, or of its schema: running again finds no new field. */
function EarlierVersion({ newest, extraction, extractions, disabled, onRun }: EarlierVersionProps) {
  if (!newest) return null;
  const { prompt_id, prompt_revid, prompt_version, name, schema_version, newest_schema_version } = newest;
  if (prompt_revid !== extraction.prompt_revid) {
    // The newest version has run already: its values are in the menu of prompts.
    if (extractions.some((each) => each.prompt_revid === prompt_revid)) return null;
    return (
      <Notice
        className="mx-3 mt-3 mb-1"
        actions={
          onRun && (
            <Button size="small" disabled={disabled} onClick={() => onRun(prompt_revid)}>
              Run version {prompt_version}
            </Button>
          )
        }
      >
        These values are by an earlier version of “{name}”. “Run again” uses that version, too.
      </Notice>
    );
  }
  if (newest_schema_version === undefined) return null;
  return (
    <Notice
      tone="warn"
      className="mx-3 mt-3 mb-1"
      actions={
        <Link
          to="/prompts/$promptId"
          params={{ promptId: prompt_id }}
          className={linkButtonClass('secondary', 'small')}
        >
          Open the prompt
        </Link>
      }
    >
      “{name}” uses version {schema_version} of its schema. “Run again” does not find what version{' '}
      {newest_schema_version} has added; move the prompt first.
    </Notice>
  );
}
