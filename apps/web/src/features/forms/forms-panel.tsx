import type { Document, Extraction } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { ClipboardList } from 'lucide-react';
import { schemaQuery } from '../../shared/api/library-api.ts';
import { EmptyExtraction, ExtractionToolbar } from '../extraction/index.ts';
import { useSession } from '../../shared/session/session.tsx';
import { EmptyState } from '../../shared/ui/empty-state.tsx';
import { RetryNotice } from '../../shared/ui/retry-notice.tsx';
import { Skeleton } from '../../shared/ui/skeleton.tsx';
import { SchemaForm } from './schema-form.tsx';

interface FormsPanelProps {
  document: Document;
  extractions: Extraction[];
  /** The one that is shown. */
  extraction: Extraction | undefined;
  shown: boolean;
  onChoose: (promptRevid: string) => void;
  onAskAgent: () => void;
}

/** Shows the values of a document as a form to fill in and check by hand. */
export function FormsPanel({ document, extractions, extraction, shown, onChoose, onAskAgent }: FormsPanelProps) {
  const { orgId } = useSession();
  const schemaRevid = extraction?.schema_revid;
  const schema = useQuery({ ...schemaQuery(orgId, schemaRevid ?? ''), enabled: schemaRevid !== undefined });
  if (!extraction) return <EmptyExtraction document={document} onAskAgent={onAskAgent} />;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <ExtractionToolbar document={document} extraction={extraction} extractions={extractions} onChoose={onChoose}>
        {schemaRevid === undefined && (
          <EmptyState icon={ClipboardList} title="No schema for a form">
            The prompt of these values has no schema. Give it one and run it again. Until then you can edit the values
            under “Extraction”.
          </EmptyState>
        )}
        {schema.isError && <RetryNotice error={schema.error} retry={() => void schema.refetch()} />}
        {schema.isPending && schemaRevid !== undefined && <LoadingForm />}
        {schema.data && (
          <SchemaForm
            key={extraction.prompt_revid}
            extraction={extraction}
            schema={schema.data.response_format.json_schema.schema}
            shown={shown}
          />
        )}
      </ExtractionToolbar>
    </div>
  );
}

function LoadingForm() {
  return (
    <div className="flex flex-col gap-3 p-4">
      {Array.from({ length: 6 }, (_, index) => (
        <Skeleton key={index} className="h-8" />
      ))}
    </div>
  );
}
