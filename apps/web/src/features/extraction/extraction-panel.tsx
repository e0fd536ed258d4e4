import { withExactNumbers, type Document, type Extraction } from '@docwright/contract';
import { useQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { useMemo, useState, type KeyboardEvent } from 'react';
import { schemaQuery } from '../../shared/api/library-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { EmptyExtraction } from './empty-extraction.tsx';
import { draftsOf } from './use-field-draft.ts';
import { ExtractionToolbar } from './extraction-toolbar.tsx';
import { ExtractionViewContext } from './extraction-view.tsx';
import { RunningExtraction } from './running-extraction.tsx';
import { ResultList } from './result-list.tsx';
import { fieldsOf, resultTree, type FieldNode } from '../../shared/values/result-tree.ts';
import { ApiError, messageOf } from '../../shared/http/api-error.ts';
import {
  extractionReviewQuery,
  extractionsQuery,
  patchExtraction,
  setVerified,
} from '../../shared/api/extractions-api.ts';
import { useToast } from '../../shared/ui/toasts.tsx';
import { BesideNotice, besideOf } from './beside/verified-beside.tsx';
import { pathsToCheck, toCheckOnly } from './value-risk.ts';
import { replaceExtraction } from './replace-extraction.ts';
import { counted } from '../../shared/formats/counted.ts';

interface ExtractionPanelProps {
  document: Document;
  extractions: Extraction[];
  /** The one that is shown. */
  extraction: Extraction | undefined;
  onChoose: (promptRevid: string) => void;
  onAskAgent: () => void;
}

export function ExtractionPanel({ document, extractions, extraction, onChoose, onAskAgent }: ExtractionPanelProps) {
  if (!extraction) return <EmptyExtraction document={document} onAskAgent={onAskAgent} />;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <ExtractionToolbar document={document} extraction={extraction} extractions={extractions} onChoose={onChoose}>
        {document.state === 'llm_processing' && (
          <RunningExtraction documentId={document.id} promptRevid={extraction.prompt_revid} />
        )}
        <ShownExtraction
          key={extraction.prompt_revid}
          extraction={extraction}
          extractions={extractions}
          onChoose={onChoose}
        />
      </ExtractionToolbar>
    </div>
  );
}

function ShownExtraction({
  extraction,
  extractions,
  onChoose,
}: Pick<ExtractionPanelProps, 'extractions' | 'onChoose'> & { extraction: Extraction }) {
  const { orgId, canWrite } = useSession();
  const schemaRevid = extraction.schema_revid;
  const schema = useQuery({ ...schemaQuery(orgId, schemaRevid ?? ''), enabled: schemaRevid !== undefined });
  const inner = schema.data?.response_format.json_schema.schema;
  const tree = useMemo(() => resultTree(withExactNumbers(extraction), inner), [extraction, inner]);
  const detail = useQuery(extractionReviewQuery(orgId, extraction)).data;
  const { save } = useFieldEdit(extraction);
  const beside = useMemo(() => besideOf(extractions, extraction, inner), [extractions, extraction, inner]);
  const take = useTake(extraction, beside?.newer, detail);
  const isVerifiedShown = beside?.verified.prompt_revid === extraction.prompt_revid;
  const view = useMemo(
    () => ({
      grounding: extraction.grounding,
      problems: new Map(extraction.validation_errors.map(({ path, message }) => [fieldPathOf(path), message])),
      drafts: draftsOf(extraction),
      ...(detail?.review && { review: detail.review }),
      ...(detail?.failed_checks && { failedChecks: detail.failed_checks }),
      ...(beside && isVerifiedShown && { newer: new Map(beside.changes.map(({ path, after }) => [path, after])) }),
      ...(canWrite ? { edit: save, take } : {}),
    }),
    [extraction, detail, canWrite, save, beside, isVerifiedShown, take],
  );
  const fields = fieldsOf(tree);
  const missing = fields.filter(({ path }) => extraction.grounding[path]?.match === 'none').length;
  const invalid = extraction.validation_errors.length;
  const [onlyToCheck, setOnlyToCheck] = useState(false);
  const reviews = detail?.review ?? {};
  const toCheck = pathsToCheck(reviews).length;
  const isFiltered = onlyToCheck && toCheck > 0;
  if (schemaRevid !== undefined && schema.isPending) return null;
  return (
    <ExtractionViewContext value={view}>
      <section aria-label="Extracted values" className="min-h-0 flex-1 overflow-auto">
        {beside && (
          <BesideNotice beside={beside} shown={extraction} onShow={onChoose} onTake={canWrite ? take : undefined} />
        )}
        <ExtractionIssues issues={extraction.issues} is_complete={extraction.is_complete} />
        {invalid > 0 && (
          <Notice tone="warn" className="m-3">
            {invalid === 1
              ? 'One value is invalid; its field says why.'
              : `${invalid} values are invalid; their fields say why.`}
          </Notice>
        )}
        {toCheck > 0 && (
          <div className="flex items-center gap-2 border-b border-line px-4 py-1.5 text-sm text-ink-soft">
            <Button size="small" aria-pressed={isFiltered} onClick={() => setOnlyToCheck(!onlyToCheck)}>
              <TriangleAlert aria-hidden className="size-4" /> To check: {toCheck}
            </Button>
            {isFiltered && <span>{fields.length - toCheck} other values are hidden.</span>}
          </div>
        )}
        <div role="presentation" onKeyDown={moveBetweenValues}>
          <ResultList nodes={isFiltered ? toCheckOnly(tree, reviews) : tree} />
        </div>
        <footer className="px-4 py-3 text-xs text-ink-faint">
          {counted(fields.length, 'field')}
          {missing > 0 && `, ${missing} not on the page`}
          {extraction.is_edited && ', edited by hand'} · version {extraction.version} · {extraction.model}
          {extraction.repaired && ', whose answer was repaired'}
          {canWrite && <span className="block">Tap the pencil, double-click or press F2 to edit a value.</span>}
        </footer>
      </section>
    </ExtractionViewContext>
  );
}

/** The arrow keys go from value to value, in tables too, except in an editor. */
function moveBetweenValues(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0 || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
  if (!(event.target instanceof HTMLButtonElement) || event.target.ariaPressed === null) return;
  const values = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('button[aria-pressed]')];
  const next = values[values.indexOf(event.target) + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

/** `/a/0` → `a.0`: validators give JSON pointers or dotted paths. */
function fieldPathOf(path: string): string {
  return path.replace(/^\//, '').replaceAll('/', '.');
}

interface FieldEdit {
  save: (path: string, value: unknown) => Promise<void>;
}

/** Changes one field of the version that the user sees; a change by someone else in between is reported, not overwritten. */
function useFieldEdit(extraction: Extraction): FieldEdit {
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  const { queryKey } = extractionsQuery(orgId, extraction.document_id);
  const change = useMutation({
    mutationFn: ({ path, value }: { path: string; value: unknown }) =>
      patchExtraction(orgId, extraction.document_id, {
        promptRevid: extraction.prompt_revid,
        path,
        value,
        base_version: extraction.version,
      }),
    onSuccess: (changed) => replaceExtraction(queryClient, orgId, changed),
    onError: async (error) => {
      if (error instanceof ApiError && error.status === 409) await queryClient.invalidateQueries({ queryKey });
    },
  });
  return {
    save: async (path, value) => {
      try {
        await change.mutateAsync({ path, value });
      } catch (error) {
        if (error instanceof ApiError && error.status === 409) {
          throw new Error(
            'Someone else changed this extraction. It shows the newest values now; save again to keep yours.',
            {
              cause: error,
            },
          );
        }
        throw error;
      }
    },
  };
}

/** Takes a value of a newer run into the verified result, which stays verified: the user has replaced this value alone. */
function useTake(
  verified: Extraction,
  newer: Extraction | undefined,
  detail: Extraction | undefined,
): (path: string) => void {
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  const toast = useToast();
  const { document_id, prompt_revid, version } = verified;
  const { mutate } = useMutation({
    mutationFn: async (path: string) => {
      const [own, theirs] = [verified, newer].map((result) => valuesByPath(result));
      const value = theirs?.get(path) ?? null;
      const taken = await patchExtraction(orgId, document_id, {
        promptRevid: prompt_revid,
        path,
        value,
        base_version: version,
      });
      // Unseen values stay unseen.
      const isSeen = (each: string) => each === path || detail?.review?.[each]?.confirmed !== 'unseen';
      const seen_paths = [...(own?.keys() ?? [])].filter(isSeen);
      return await setVerified(orgId, document_id, taken, true, { seen_paths });
    },
    onSuccess: async (changed) => {
      replaceExtraction(queryClient, orgId, changed);
      await queryClient.invalidateQueries({ queryKey: ['documents', orgId] });
    },
    onError: async (error) => {
      toast(messageOf(error), 'bad');
      await queryClient.invalidateQueries({ queryKey: extractionsQuery(orgId, document_id).queryKey });
    },
  });
  return mutate;
}

function valuesByPath(result: Extraction | undefined): Map<string, FieldNode['value']> {
  if (result === undefined) return new Map();
  return new Map(fieldsOf(resultTree(result.result, undefined)).map(({ path, value }) => [path, value]));
}

const maxShown = 5;

/** The missing and duplicate values of a result, above the others. */
function ExtractionIssues({ issues, is_complete }: Pick<Extraction, 'issues' | 'is_complete'>) {
  if (issues.length === 0) return null;
  const more = issues.length - maxShown;
  return (
    <Notice tone={is_complete ? 'warn' : 'bad'} className="m-3">
      <strong className="block font-semibold">
        {is_complete ? 'Check these values' : 'This result is incomplete'}
      </strong>
      <ul>
        {issues.slice(0, maxShown).map(({ code, path, message }) => (
          <li key={`${code} ${path} ${message}`}>
            {path !== '' && <span className="font-medium">{path}: </span>}
            {message}
          </li>
        ))}
      </ul>
      {more > 0 && `and ${more} more`}
    </Notice>
  );
}
