import type { Prompt } from '@docwright/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../shared/ui/parts/lazy-part.tsx';
import { schemaQuery } from '../../shared/api/library-api.ts';
import { promptsKey } from '../../shared/api/prompts-api.ts';
import { schemasKey, schemaUseQuery, schemaVersionsQuery } from '../../shared/api/schemas-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { textLinkClass } from '../../shared/ui/text-link.ts';
import { useToast } from '../../shared/ui/toasts.tsx';
import { movePrompts } from './use-schema-save.tsx';

const SchemaEffectDialog = lazyPart(async () => ({
  default: (await import('./schema-effect-dialog.tsx')).SchemaEffectDialog,
}));

/** Says that a prompt uses an earlier version of its schema, and offers to move it. Nothing for other prompts. */
export function OldSchemaNotice({ prompt, className }: { prompt: Prompt; className?: string }) {
  const { orgId, canWrite } = useSession();
  const queries = useQueryClient();
  const toast = useToast();
  const [isOpen, setOpen] = useState(false);
  const { schema_id = '', schema_version, schema_revid = '', newest_schema_version: newest } = prompt;
  const isOld = newest !== undefined;
  const before = useQuery({ ...schemaQuery(orgId, schema_revid), enabled: isOld }).data;
  const after = useQuery({ ...schemaVersionsQuery(orgId, schema_id), enabled: isOpen }).data?.schemas[0];
  const use = useQuery({ ...schemaUseQuery(orgId, schema_id), enabled: isOpen }).data;
  const moving = useMutation({
    mutationFn: async (version: number) =>
      await movePrompts(orgId, { schema_id, schema_version: version }, [prompt.prompt_id]),
    onSuccess: async ({ problems }, version) => {
      for (const problem of problems) toast(problem, 'bad');
      if (problems.length === 0) toast(`“${prompt.name}” uses version ${version} now.`);
      await Promise.all(
        [schemasKey(orgId), promptsKey(orgId)].map((queryKey) => queries.invalidateQueries({ queryKey })),
      );
    },
  });
  if (!isOld) return null;
  const own = use?.prompts.filter(({ prompt_id }) => prompt_id === prompt.prompt_id);
  return (
    <>
      <Notice
        tone="warn"
        {...(className !== undefined && { className })}
        {...(canWrite && {
          actions: (
            <Button size="small" disabled={moving.isPending} onClick={() => setOpen(true)}>
              Move to version {newest}…
            </Button>
          ),
        })}
      >
        “{prompt.name}” uses version {schema_version} of{' '}
        <Link
          to="/schemas/$schemaId"
          params={{ schemaId: schema_id }}
          search={schema_version === undefined ? {} : { compare: schema_version }}
          className={textLinkClass}
        >
          {before?.name ?? 'its schema'}
        </Link>
        . Extractions do not find what version {newest} has added.
      </Notice>
      {isOpen && before && after && own && (
        <Suspense>
          <SchemaEffectDialog
            title={`Move “${prompt.name}” to version ${after.schema_version}`}
            version={after.schema_version}
            before={before.response_format}
            after={after.response_format}
            use={{ prompts: own, total_count: own.length }}
            needsPrompt
            actionLabel={() => 'Move the prompt'}
            onClose={() => setOpen(false)}
            onConfirm={() => {
              setOpen(false);
              moving.mutate(after.schema_version);
            }}
          />
        </Suspense>
      )}
    </>
  );
}
