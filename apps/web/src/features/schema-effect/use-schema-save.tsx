import type { ResponseFormat, Schema, SchemaUse } from '@docwright/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Suspense, useState, type ReactNode } from 'react';
import { lazyPart } from '../../shared/ui/parts/lazy-part.tsx';
import { promptsKey, updatePrompt } from '../../shared/api/prompts-api.ts';
import { schemasKey, schemaUseQuery } from '../../shared/api/schemas-api.ts';
import { counted } from '../../shared/formats/counted.ts';
import { messageOf } from '../../shared/http/api-error.ts';
import { useSession } from '../../shared/session/session.tsx';
import { useToast } from '../../shared/ui/toasts.tsx';

const SchemaEffectDialog = lazyPart(async () => ({
  default: (await import('./schema-effect-dialog.tsx')).SchemaEffectDialog,
}));

interface Change<Body> {
  body: Body;
  before: ResponseFormat;
  after: ResponseFormat;
}

interface SchemaSaveOptions<Body> {
  /** The opened schema; undefined for a new one, which no prompt uses. */
  former: Pick<Schema, 'schema_id' | 'name'> | undefined;
  /** The fields before and after, without saving; undefined if neither fields nor checks change. */
  preview: (body: Body) => Promise<(Omit<Change<Body>, 'body'> & { version: number }) | undefined>;
  save: (body: Body) => Promise<Schema>;
  /** Called right after saving, before the lists are fetched again. */
  onSaved?: (saved: Schema) => void;
  onDone: (saved: Schema) => Promise<void>;
}

export interface SchemaSave<Body> {
  start: (body: Body) => void;
  isPending: boolean;
  isSuccess: boolean;
  error: Error | null;
  dialog: ReactNode;
}

/** Saves a schema; if prompts use it, shows first what the change does, and moves the chosen prompts after it. */
export function useSchemaSave<Body>(options: SchemaSaveOptions<Body>): SchemaSave<Body> {
  const { former, preview, save, onSaved, onDone } = options;
  const { orgId } = useSession();
  const queries = useQueryClient();
  const toast = useToast();
  const [asked, setAsked] = useState<Change<Body> & { version: number; use: SchemaUse }>();
  const saving = useMutation({
    mutationFn: async ({ body, promptIds }: { body: Body; promptIds: string[] }) => {
      const saved = await save(body);
      return { saved, moved: await movePrompts(orgId, saved, promptIds) };
    },
    onSuccess: async ({ saved, moved }) => {
      onSaved?.(saved);
      if (moved.done > 0) toast(`${counted(moved.done, 'prompt')} moved to version ${saved.schema_version}.`);
      for (const problem of moved.problems) toast(problem, 'bad');
      await Promise.all(
        [schemasKey(orgId), promptsKey(orgId)].map((queryKey) => queries.invalidateQueries({ queryKey })),
      );
      await onDone(saved);
    },
  });
  const asking = useMutation({
    mutationFn: async (body: Body) => {
      if (former === undefined) return undefined;
      const [change, use] = await Promise.all([
        preview(body),
        queries.fetchQuery({ ...schemaUseQuery(orgId, former.schema_id), staleTime: 0 }),
      ]);
      return change === undefined || use.prompts.length === 0 ? undefined : { ...change, body, use };
    },
    onSuccess: (found, body) => {
      if (found === undefined) saving.mutate({ body, promptIds: [] });
      else setAsked(found);
    },
  });
  const dialog = asked && (
    <Suspense>
      <SchemaEffectDialog
        title={`Save version ${asked.version} of “${former?.name ?? ''}”`}
        {...asked}
        actionLabel={(chosen) => (chosen === 0 ? 'Save only' : `Save and move ${counted(chosen, 'prompt')}`)}
        onClose={() => setAsked(undefined)}
        onConfirm={(promptIds) => {
          setAsked(undefined);
          saving.mutate({ body: asked.body, promptIds });
        }}
      />
    </Suspense>
  );
  return {
    start: (body) => {
      if (asking.isPending) return;
      saving.reset();
      asking.mutate(body);
    },
    // The button keeps the focus while the use is read: closing the dialog returns it.
    isPending: saving.isPending,
    isSuccess: saving.isSuccess,
    error: saving.error ?? asking.error,
    dialog,
  };
}

/** Points each prompt to the version. A prompt that cannot be moved does not stop the others. */
export async function movePrompts(
  orgId: string,
  { schema_id, schema_version }: Pick<Schema, 'schema_id' | 'schema_version'>,
  promptIds: readonly string[],
): Promise<{ done: number; problems: string[] }> {
  const problems: string[] = [];
  for (const id of promptIds) {
    try {
      await updatePrompt(orgId, id, { schema_id, schema_version });
    } catch (error) {
      problems.push(`A prompt stays on its version: ${messageOf(error)}`);
    }
  }
  return { done: promptIds.length - problems.length, problems };
}
