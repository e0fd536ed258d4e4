import type { Prompt, createPromptBody, updatePromptBody, Tag } from '@docwright/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { messageOf } from '../../shared/http/api-error.ts';
import { changedParts } from '../../shared/http/changed-parts.ts';
import { asSeen, seenState } from '../../shared/http/seen-state.ts';
import { tagsQuery } from '../../shared/api/library-api.ts';
import { modelsQuery } from '../../shared/api/models-api.ts';
import { createPrompt, presentPrompt, promptsKey, updatePrompt } from '../../shared/api/prompts-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Page, BackLink, FormActions } from '../../shared/page/page.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { SelectField } from '../../shared/ui/fields/select-field.tsx';
import { TextAreaField } from '../../shared/ui/fields/text-area-field.tsx';
import { TextField } from '../../shared/ui/fields/text-field.tsx';
import { useToast } from '../../shared/ui/toasts.tsx';
import { UnsavedGuard } from '../../shared/ui/dialogs/unsaved-guard.tsx';
import { ExamplesField } from './examples-field.tsx';
import { readingBody, readingOf } from './reading-choice.ts';
import { ReadingFields, type ReadingChoice } from './reading-fields.tsx';
import { SchemaChoice, type ChosenSchema } from './schema-choice.tsx';
import type { z } from 'zod';
import { TagDot } from '../../shared/labels/tag-chips.tsx';
import { textLinkClass } from '../../shared/ui/text-link.ts';

interface PromptEditorProps {
  former: Prompt | undefined;
  /** The schema that a new prompt starts with. */
  schemaId?: string | undefined;
}

export function PromptEditor({ former: present, schemaId }: PromptEditorProps) {
  const { orgId } = useSession();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const toast = useToast();
  // The user changes the version that was opened, whichever comes meanwhile.
  const [former] = useState(present);
  const [initial] = useState(() => promptFields(former, schemaId));
  const [seen] = useState(() => seenState<{ name?: string | undefined }>({ name: initial.name }));
  const [fields, setFields] = useState(initial);
  const change = (part: Partial<typeof fields>) => setFields((present) => ({ ...present, ...part }));
  const tags = useQuery(tagsQuery(orgId)).data?.tags;
  const models = useQuery(modelsQuery(orgId)).data?.models ?? [];
  const modelIds = models.map(({ id }) => id);
  const isModelGone = fields.model !== '' && models.length > 0 && !modelIds.includes(fields.model);
  const saving = useMutation({
    mutationFn: async () => {
      if (former === undefined) return await createPrompt(orgId, promptBody(fields).create);
      const changed = promptChange(fields, initial, former.prompt_version);
      // A rename makes no version that base_version could tell.
      if (changed.name === undefined) return await updatePrompt(orgId, former.prompt_id, changed);
      const now = { name: (await presentPrompt(orgId, former.prompt_id))?.name };
      seen.check(changed, now);
      return await updatePrompt(orgId, former.prompt_id, { ...changed, ...asSeen({ name: changed.name }, now) });
    },
    onSuccess: async (saved) => {
      await queryClient.invalidateQueries({ queryKey: promptsKey(orgId) });
      const newVersion = saved.prompt_version !== former?.prompt_version;
      toast(
        newVersion
          ? `Saved as version ${saved.prompt_version}.`
          : `Saved. It is still version ${saved.prompt_version}.`,
      );
      await navigate({ to: '/prompts/$promptId', params: { promptId: saved.prompt_id }, ignoreBlocker: true });
    },
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <Page
      title={former === undefined ? 'New prompt' : `Edit “${former.name}”`}
      back={<BackLink to="/prompts">Prompts</BackLink>}
      note={
        former &&
        `Changing it creates version ${former.prompt_version + 1}; earlier versions are kept. A name or tags alone create none.`
      }
    >
      <UnsavedGuard dirty={!saving.isSuccess && JSON.stringify(fields) !== JSON.stringify(initial)} />
      <form onSubmit={onSubmit} className="flex max-w-3xl flex-col gap-4">
        <TextField
          label="Name"
          required
          maxLength={200}
          value={fields.name}
          onChange={(event) => change({ name: event.target.value })}
        />
        <TextAreaField
          label="Content"
          required
          rows={12}
          value={fields.content}
          help="Instructions for the model, in addition to the text and the schema."
          onChange={(event) => change({ content: event.target.value })}
        />
        <SchemaChoice value={fields.schema} onChange={(schema) => change({ schema })} />
        <SelectField
          label="Model"
          value={fields.model}
          options={[
            { value: '', label: 'The organization’s default' },
            ...(fields.model === '' || modelIds.includes(fields.model) ? modelIds : [fields.model, ...modelIds]).map(
              (id) => ({ value: id, label: id }),
            ),
          ]}
          help={isModelGone ? 'This model is no longer offered. Choose another one.' : undefined}
          onChange={(model) => change({ model })}
        />
        <ExamplesField value={fields.examples} onChange={(examples) => change({ examples })} />
        <ReadingFields
          value={fields.reading}
          modelIds={modelIds}
          onChange={(part) => change({ reading: { ...fields.reading, ...part } })}
        />
        <TagChoices tags={tags} chosen={fields.tagIds} onChange={(tagIds) => change({ tagIds })} />
        {saving.isError && (
          <Notice tone="bad" className="whitespace-pre-line">
            {messageOf(saving.error)}
          </Notice>
        )}
        <FormActions
          cancel={
            former === undefined
              ? { to: '/prompts' }
              : { to: '/prompts/$promptId', params: { promptId: former.prompt_id } }
          }
          isDisabled={saving.isPending || fields.name.trim() === '' || fields.content.trim() === ''}
        >
          {saving.isPending ? 'Saving…' : 'Save'}
        </FormActions>
      </form>
    </Page>
  );
}

/** The form of a prompt; an empty model is the organization's default. */
interface PromptFields {
  name: string;
  content: string;
  schema: ChosenSchema;
  model: string;
  examples: number;
  reading: ReadingChoice;
  tagIds: string[];
}

function promptFields(prompt: Prompt | undefined, schemaId = ''): PromptFields {
  return {
    name: prompt?.name ?? '',
    content: prompt?.content ?? '',
    schema: { id: prompt?.schema_id ?? schemaId, version: prompt?.schema_version },
    model: prompt?.model ?? '',
    examples: prompt?.examples?.count ?? 0,
    reading: readingOf(prompt),
    tagIds: prompt?.tag_ids ?? [],
  };
}

interface PromptBodies {
  create: z.input<typeof createPromptBody>;
  update: PromptChange;
}

type PromptChange = z.input<typeof updatePromptBody>;

const chosenSchema = ({ id, version }: ChosenSchema) =>
  id === '' ? {} : { schema_id: id, ...(version === undefined ? {} : { schema_version: version }) };

/** The request bodies of the form; in an update, null removes the schema or model. */
function promptBody({ name, content, schema, model, examples, reading, tagIds }: PromptFields): PromptBodies {
  const reads = readingBody(reading);
  const both = { name: name.trim(), content, examples: { count: examples }, tag_ids: tagIds };
  const chosen = chosenSchema(schema);
  return {
    create: { ...both, ...reads.create, ...chosen, ...(model === '' ? {} : { model }) },
    update: { ...both, ...reads.update, schema_id: null, ...chosen, model: model === '' ? null : model },
  };
}

/** What the user changed in the version that was opened. A schema and its version go together: without one, the newest is meant. */
function promptChange(fields: PromptFields, opened: PromptFields, base_version: number): PromptChange {
  const { tag_ids: _, ...changed } = changedParts(promptBody(fields).update, promptBody(opened).update);
  const add_tag_ids = fields.tagIds.filter((id) => !opened.tagIds.includes(id));
  const remove_tag_ids = opened.tagIds.filter((id) => !fields.tagIds.includes(id));
  const isOfSchema = JSON.stringify(fields.schema) !== JSON.stringify(opened.schema);
  return {
    ...changed,
    ...(add_tag_ids.length > 0 && { add_tag_ids }),
    ...(remove_tag_ids.length > 0 && { remove_tag_ids }),
    ...(isOfSchema && chosenSchema(fields.schema)),
    base_version,
  };
}

interface TagChoicesProps {
  /** Undefined while they load. */
  tags: Tag[] | undefined;
  chosen: string[];
  onChange: (chosen: string[]) => void;
}

/** Chooses the tags whose documents the prompt applies to. */
function TagChoices({ tags, chosen, onChange }: TagChoicesProps) {
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1 text-sm font-medium">Tags</legend>
      {tags?.length === 0 ? (
        <p className="text-sm text-ink-soft">
          There are no tags yet.{' '}
          <Link to="/tags" className={textLinkClass}>
            Create one
          </Link>{' '}
          and the prompt can apply to all documents with it.
        </p>
      ) : (
        <div className="flex min-h-8 flex-wrap gap-1.5">
          {tags?.map((tag) => {
            const has = chosen.includes(tag.tag_id);
            return (
              <label
                key={tag.tag_id}
                className="inline-flex h-8 max-w-full cursor-pointer items-center gap-2 rounded-md border border-line bg-raised px-2 text-sm hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft"
              >
                <input
                  type="checkbox"
                  checked={has}
                  className="accent-[var(--accent)]"
                  onChange={() => onChange(has ? chosen.filter((id) => id !== tag.tag_id) : [...chosen, tag.tag_id])}
                />
                <TagDot tag={tag} />
                <span className="truncate">{tag.name}</span>
              </label>
            );
          })}
        </div>
      )}
      <p className="text-xs text-ink-faint">The prompt applies to documents with one of these tags.</p>
    </fieldset>
  );
}
