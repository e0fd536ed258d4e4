import type { Schema, SchemaCheck } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { useSchemaSave } from '../schema-effect/index.ts';
import { messageOf } from '../../shared/http/api-error.ts';
import { changedParts } from '../../shared/http/changed-parts.ts';
import { asSeen, seenState } from '../../shared/http/seen-state.ts';
import { createSchema, schemaName, schemaVersionsQuery, updateSchema } from '../../shared/api/schemas-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Page, panelClass, BackLink, FormActions } from '../../shared/page/page.tsx';
import { LoadingPage } from '../../shared/page/loading-page.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { TextAreaField } from '../../shared/ui/fields/text-area-field.tsx';
import { TextField } from '../../shared/ui/fields/text-field.tsx';
import { useToast } from '../../shared/ui/toasts.tsx';
import { UnsavedGuard } from '../../shared/ui/dialogs/unsaved-guard.tsx';
import { readSchemaText, responseFormatOf, startingSchema } from './read-schema-text.ts';
import { SchemaChecksField } from './schema-checks.tsx';
import { SchemaFields } from './schema-fields.tsx';

const editRoute = getRouteApi('/schemas/$schemaId/edit');

export function SchemaEditPage() {
  const { schemaId } = editRoute.useParams();
  const { orgId } = useSession();
  const versions = useQuery(schemaVersionsQuery(orgId, schemaId));
  const [newest] = versions.data?.schemas ?? [];
  if (newest) return <SchemaEditor key={newest.schema_id} former={newest} />;
  return (
    <LoadingPage
      title="Edit schema"
      back={<BackLink to="/schemas">Schemas</BackLink>}
      error={versions.error}
      retry={() => void versions.refetch()}
    />
  );
}

export function NewSchemaPage() {
  return <SchemaEditor former={undefined} />;
}

function SchemaEditor({ former: present }: { former: Schema | undefined }) {
  const { orgId } = useSession();
  const navigate = useNavigate();
  const toast = useToast();
  // The user changes the version that was opened, whichever comes meanwhile.
  const [former] = useState(present);
  const [initial] = useState(() => ({
    name: former?.name ?? '',
    text: JSON.stringify(former?.response_format.json_schema.schema ?? startingSchema, null, 2),
    checks: former?.checks ?? [],
  }));
  const [seen] = useState(() => seenState<{ name?: string | undefined }>({ name: initial.name }));
  const [name, setName] = useState(initial.name);
  const [text, setText] = useState(initial.text);
  const [checks, setChecks] = useState(initial.checks);
  const read = readSchemaText(text);
  const saving = useSchemaSave<Pick<Schema, 'name' | 'response_format'> & { checks: SchemaCheck[] }>({
    former,
    preview: async ({ response_format, checks: next }) =>
      former === undefined ||
      (JSON.stringify(response_format) === JSON.stringify(former.response_format) && next === initial.checks)
        ? undefined
        : { before: former.response_format, after: response_format, version: former.schema_version + 1 },
    save: async (body) => {
      if (former === undefined) return await createSchema(orgId, body);
      const changed = changedParts(body, { ...former, checks: initial.checks });
      // A rename makes no version that base_version could tell.
      const change = { ...changed, base_version: former.schema_version };
      if (changed.name === undefined) return await updateSchema(orgId, former.schema_id, change);
      const now = { name: await schemaName(orgId, former.schema_id) };
      seen.check(changed, now);
      return await updateSchema(orgId, former.schema_id, { ...change, ...asSeen({ name: changed.name }, now) });
    },
    onSaved: (saved) => {
      const newVersion = saved.schema_version !== former?.schema_version;
      toast(newVersion ? `Saved as version ${saved.schema_version}.` : 'Saved. The fields did not change.');
    },
    onDone: (saved) =>
      navigate({ to: '/schemas/$schemaId', params: { schemaId: saved.schema_id }, ignoreBlocker: true }),
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (read.schema === undefined) return;
    const response_format = responseFormatOf(read.schema, name, former?.response_format);
    saving.start({ name: name.trim(), response_format, checks });
  };
  const title = former === undefined ? 'New schema' : `Edit “${former.name}”`;
  return (
    <Page
      title={title}
      back={<BackLink to="/schemas">Schemas</BackLink>}
      note={
        former &&
        `Changing fields creates version ${former.schema_version + 1}; earlier versions are kept. You see what it does to prompts and documents before it is saved.`
      }
    >
      <UnsavedGuard
        dirty={!saving.isSuccess && (name !== initial.name || text !== initial.text || checks !== initial.checks)}
      />
      <form onSubmit={onSubmit} className="grid items-start gap-6 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          <TextField
            label="Name"
            required
            maxLength={200}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <TextAreaField
            label="JSON schema"
            code
            rows={22}
            value={text}
            error={read.error}
            help="Draft 7. Every object lists all its properties in “required” and has “additionalProperties”: false; a property that can be missing has the type [“string”, “null”]."
            onChange={(event) => setText(event.target.value)}
          />
          <SchemaChecksField value={checks} onChange={setChecks} />
          {saving.error !== null && (
            <Notice tone="bad" className="whitespace-pre-line">
              {messageOf(saving.error)}
            </Notice>
          )}
          <FormActions
            cancel={
              former === undefined
                ? { to: '/schemas' }
                : { to: '/schemas/$schemaId', params: { schemaId: former.schema_id } }
            }
            isDisabled={saving.isPending || read.schema === undefined || name.trim() === ''}
          >
            {saving.isPending ? 'Saving…' : 'Save'}
          </FormActions>
        </div>
        <section aria-labelledby="preview" className="flex min-w-0 flex-col gap-1">
          <h2 id="preview" className="text-sm font-medium">
            What it asks for
          </h2>
          <div className={`${panelClass} overflow-x-auto`}>
            {read.schema === undefined ? (
              <p className="p-3 text-sm text-ink-soft">The fields show here once the text is JSON.</p>
            ) : (
              <SchemaFields schema={read.schema} />
            )}
          </div>
        </section>
      </form>
      {saving.dialog}
    </Page>
  );
}
