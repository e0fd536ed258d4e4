import type { Schema } from '@docwright/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Play, Plus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../shared/ui/parts/lazy-part.tsx';
import { runExtraction } from '../../shared/api/extractions-api.ts';
import { schemasKey, schemaUseQuery } from '../../shared/api/schemas-api.ts';
import { createPrompt, promptsKey } from '../../shared/api/prompts-api.ts';
import { messageOf } from '../../shared/http/api-error.ts';
import { panelClass } from '../../shared/page/page.tsx';
import { useSession } from '../../shared/session/session.tsx';
import { Button, linkButtonClass } from '../../shared/ui/button.tsx';
import { Spinner } from '../../shared/ui/spinner.tsx';
import { useToast } from '../../shared/ui/toasts.tsx';
import { textLinkClass } from '../../shared/ui/text-link.ts';

const DocumentPick = lazyPart(async () => ({
  default: (await import('../../shared/page/document-pick.tsx')).DocumentPick,
}));

/** What comes after a schema is saved: the prompts that fill it, a new one, and a first try on a document. */
export function SchemaUseNote({ schema }: { schema: Schema }) {
  const { orgId, canWrite } = useSession();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const [picking, setPicking] = useState(false);
  const prompts = useQuery(schemaUseQuery(orgId, schema.schema_id)).data?.prompts;
  const trying = useMutation({
    mutationFn: async (documentId: string) => {
      const prompt =
        prompts?.[0] ??
        (await createPrompt(orgId, {
          name: schema.name,
          content: 'Extract the values.',
          schema_id: schema.schema_id,
        }));
      await queryClient.invalidateQueries({ queryKey: promptsKey(orgId) });
      await queryClient.invalidateQueries({ queryKey: schemasKey(orgId) });
      return await runExtraction(orgId, documentId, { promptRevid: prompt.prompt_revid });
    },
    onSuccess: ({ document_id: documentId, prompt_revid: prompt }) =>
      navigate({ to: '/documents/$documentId', params: { documentId }, search: { tab: 'extraction', prompt } }),
    onError: (error) => toast(messageOf(error), 'bad'),
  });
  return (
    <section aria-label="Use" className={`${panelClass} flex flex-wrap items-center gap-x-3 gap-y-2 px-3 py-2 text-sm`}>
      <p className="min-w-0 flex-1 basis-60 wrap-anywhere">
        {prompts === undefined || prompts.length === 0 ? (
          <span className="text-ink-soft">No prompt uses this schema yet.</span>
        ) : (
          <>
            <span className="text-ink-soft">Used by</span>{' '}
            {prompts.map(({ prompt_id, name, schema_version }, index) => (
              <span key={prompt_id}>
                {index > 0 && ', '}
                <Link to="/prompts/$promptId" params={{ promptId: prompt_id }} className={textLinkClass}>
                  {name}
                </Link>
                {schema_version < schema.schema_version && (
                  <span className="text-warn"> (on version {schema_version})</span>
                )}
              </span>
            ))}
          </>
        )}
      </p>
      {canWrite && (
        <>
          <Button size="small" disabled={trying.isPending || prompts === undefined} onClick={() => setPicking(true)}>
            {trying.isPending ? <Spinner /> : <Play aria-hidden className="size-3.5" />} Try on a document…
          </Button>
          <Link
            to="/prompts/new"
            search={{ schema: schema.schema_id }}
            className={linkButtonClass('secondary', 'small')}
          >
            <Plus aria-hidden className="size-3.5" /> Create a prompt
          </Link>
        </>
      )}
      {picking && (
        <Suspense>
          <DocumentPick
            title="Try on a document"
            description={
              prompts?.length === 0
                ? `Creates the prompt “${schema.name}” and extracts with it.`
                : 'Extracts with the first prompt of this schema.'
            }
            onClose={() => setPicking(false)}
            onPick={({ id }) => {
              setPicking(false);
              trying.mutate(id);
            }}
          />
        </Suspense>
      )}
    </section>
  );
}
