import type { Extraction, ExtractionVersion } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { extractionVersionsQuery, extractionsQuery, restoreVersion } from '../../shared/api/extractions-api.ts';
import { Written } from '../../shared/labels/written.tsx';
import { formatMoment } from '../../shared/formats/format-document.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialogs/dialog.tsx';
import { RetryNotice } from '../../shared/ui/retry-notice.tsx';
import { Skeleton } from '../../shared/ui/skeleton.tsx';
import { schemaQuery } from '../../shared/api/library-api.ts';
import type { JsonSchema } from '../../shared/values/field-shape.ts';
import { valueChanges, type ValueChange } from './beside/value-changes.ts';
import { useWriteError } from './beside/unseen-change.ts';
import { useChange } from '../../shared/page/use-change.ts';

type ListedVersion = Omit<ExtractionVersion, 'grounding'>;

const actions: Record<ListedVersion['action'], string> = {
  extracted: 'Extracted',
  edited: 'Edited',
  restored: 'Restored',
  undone: 'Undone',
};
const authorNotes = { person: '', chat: ' · by the agent', run: ' · by a run' } as const;
const maxChanges = 12;

interface HistoryDialogProps {
  extraction: Extraction;
  onClose: () => void;
}

/** Lists every version of a result: its author, its changed values and Restore. */
export function HistoryDialog({ extraction, onClose }: HistoryDialogProps) {
  const { orgId, canWrite } = useSession();
  const { document_id: documentId, prompt_revid: promptRevid } = extraction;
  const query = useQuery(extractionVersionsQuery(orgId, documentId, promptRevid));
  const schemaRevid = extraction.schema_revid;
  const schema = useQuery({ ...schemaQuery(orgId, schemaRevid ?? ''), enabled: schemaRevid !== undefined }).data;
  const restoring = useChange((version: number) => restoreVersion(orgId, documentId, extraction, version), {
    refreshes: [extractionsQuery(orgId, documentId).queryKey],
    says: (_restored, version) => `Version ${version} is restored.`,
    onError: useWriteError(extraction),
  });
  const versions = query.data?.versions;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="History of this result"
      description="Every version is kept as long as the document. Restoring one creates a new version."
    >
      {query.isError && <RetryNotice error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <Skeleton className="h-24" />}
      <ol className="flex flex-col divide-y divide-line">
        {versions?.map((version, index) => (
          <li key={version.version} className="flex flex-col gap-1 py-2 text-sm">
            <div className="flex items-start justify-between gap-2">
              <span className="min-w-0">
                <span className="font-medium">
                  Version {version.version} · {actions[version.action]}
                  {version.restored_from !== undefined && ` from version ${version.restored_from}`}
                </span>
                {!version.is_complete && <span className="text-warn"> · incomplete</span>}
                {version.is_current && <span className="text-ink-soft"> · current</span>}
                <span className="block text-xs text-ink-soft">
                  {version.author === undefined ? (
                    formatMoment(version.written_at)
                  ) : (
                    <>
                      <Written at={version.written_at} by={version.author.user_id} />
                      {authorNotes[version.author.kind]}
                    </>
                  )}
                </span>
              </span>
              {canWrite && !version.is_current && (
                <Button
                  size="small"
                  disabled={restoring.isPending}
                  aria-label={`Restore version ${version.version}`}
                  onClick={() => restoring.mutate(version.version)}
                >
                  <Undo2 aria-hidden className="size-3.5" /> Restore
                </Button>
              )}
            </div>
            <Changes
              version={version}
              before={versions[index + 1]}
              schema={schema?.response_format.json_schema.schema}
            />
          </li>
        ))}
      </ol>
      {query.data !== undefined && query.data.total_count > query.data.versions.length && (
        <p className="text-xs text-ink-faint">
          The newest {query.data.versions.length} of {query.data.total_count} versions.
        </p>
      )}
    </Dialog>
  );
}

interface ChangesProps {
  version: ListedVersion;
  before: ListedVersion | undefined;
  schema: JsonSchema | undefined;
}

function Changes({ version, before, schema }: ChangesProps) {
  if (before === undefined) return null;
  const changes = valueChanges(before.result, version.result, schema);
  const verified = version.is_verified !== before.is_verified && (version.is_verified ? 'Verified' : 'Not verified');
  if (changes.length === 0) return <p className="text-xs text-ink-faint">{verified || 'No value changed'}</p>;
  return (
    <ul className="flex flex-col gap-0.5 text-xs">
      {changes.slice(0, maxChanges).map((change) => (
        <li key={change.path} className="wrap-anywhere">
          <span className="text-ink-soft">{change.label}:</span> <OldAndNew {...change} />
        </li>
      ))}
      {changes.length > maxChanges && <li className="text-ink-faint">{changes.length - maxChanges} more values</li>}
    </ul>
  );
}

const OldAndNew = ({ before, after }: ValueChange) => (
  <>
    <del className="text-bad">{before === '' ? 'not given' : before}</del> →{' '}
    <ins className="text-good no-underline">{after === '' ? 'not given' : after}</ins>
  </>
);
