import type { Schedule, ScheduleAction, DocumentFilter, PatchScheduleBody } from '@docwright/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import {
  changeSchedule,
  createSchedule,
  scheduleQuery,
  schedulesKey,
  type NewSchedule,
} from '../../shared/api/schedules-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Page, BackLink, FormActions } from '../../shared/page/page.tsx';
import { DocumentFilterFields, MatchCount, matchingErrors, useMatching } from '../runs/index.ts';
import { changedParts } from '../../shared/http/changed-parts.ts';
import { asSeen, seenState } from '../../shared/http/seen-state.ts';
import { failedFields } from '../../shared/http/failed-fields.ts';
import { CheckField } from '../../shared/ui/fields/check-field.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { TextAreaField } from '../../shared/ui/fields/text-area-field.tsx';
import { TextField } from '../../shared/ui/fields/text-field.tsx';
import { UnsavedGuard } from '../../shared/ui/dialogs/unsaved-guard.tsx';
import { TimingForm } from './timing-form.tsx';
import { SelectField } from '../../shared/ui/fields/select-field.tsx';
import { useNewestPrompts, usePromptName } from '../../shared/labels/use-prompt-name.ts';
import { localTimezone } from '../../shared/formats/timing-labels.ts';
import { newTiming, timingBody, timingFields, type TimingFields } from '../../shared/formats/timing.ts';
import { PageSection } from '../../shared/page/page-section.tsx';
import { useChange } from '../../shared/page/use-change.ts';

const knownFields = ['name', 'cron', 'every', 'timezone', 'filter', 'prompt_id', 'message', 'max_documents'];

const actions: { value: ScheduleAction; label: string; note: string }[] = [
  { value: 'run_extraction', label: 'Run the extraction', note: 'Reads each document into fields with a prompt.' },
  {
    value: 'auto_create',
    label: 'Prepare automatically',
    note: 'The agent creates a schema and a prompt and extracts with them. You accept or reject the result.',
  },
];

export function ScheduleEditor({ former }: { former: Schedule | undefined }) {
  const { orgId } = useSession();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [initial] = useState(() => scheduleFields(former));
  const [fields, setFields] = useState(initial);
  const [seen] = useState(() => seenState<object>(scheduleBodies(initial).change));
  const change = (part: Partial<typeof fields>) => setFields((present) => ({ ...present, ...part }));
  const { create, change: body } = scheduleBodies(fields);
  const { filter = {}, prompt_id, max_documents } = create;
  const matches = useMatching({
    filter,
    ...(prompt_id === undefined ? {} : { prompt_id }),
    ...(max_documents === undefined ? {} : { max_documents }),
  });
  const saving = useChange(
    async () => {
      if (former === undefined) return await createSchedule(orgId, create);
      const part = changedParts(body, scheduleBodies(initial).change);
      const now = await queries.fetchQuery({ ...scheduleQuery(orgId, former.id), staleTime: 0 });
      seen.check(part, scheduleBodies(scheduleFields(now)).change);
      return await changeSchedule(orgId, former.id, asSeen(part, now));
    },
    {
      refreshes: [schedulesKey(orgId)],
      says: (saved) => (former === undefined ? `“${saved.name}” is created.` : 'Saved.'),
      onDone: (saved) =>
        navigate({ to: '/schedules/$scheduleId', params: { scheduleId: saved.id }, ignoreBlocker: true }),
    },
  );
  const { fields: refused, other } = failedFields(saving.error, knownFields);
  const errors = { ...refused, ...matchingErrors(matches) };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <Page
      title={former === undefined ? 'New schedule' : `Edit “${former.name}”`}
      back={<BackLink to="/schedules">Schedules</BackLink>}
      note={former && 'The active run is not changed.'}
    >
      <UnsavedGuard dirty={!saving.isSuccess && JSON.stringify(fields) !== JSON.stringify(initial)} />
      <form aria-label="Schedule" onSubmit={onSubmit} className="flex max-w-3xl flex-col gap-7">
        <TextField
          label="Name"
          required
          maxLength={200}
          value={fields.name}
          error={errors['name']}
          onChange={(event) => change({ name: event.target.value })}
        />
        <PageSection title="When">
          <TimingForm
            fields={fields.timing}
            errors={errors}
            onChange={(part) => change({ timing: { ...fields.timing, ...part } })}
          />
        </PageSection>
        <PageSection title="What">
          <Actions chosen={fields.action} onChange={(action) => change({ action })} />
          {fields.action === 'run_extraction' ? (
            <ExtractionPrompt
              value={fields.promptId}
              error={errors['prompt_id']}
              onChange={(promptId) => change({ promptId })}
            />
          ) : (
            <TextAreaField
              label="Message to the agent (optional)"
              rows={3}
              maxLength={20_000}
              value={fields.message}
              error={errors['message']}
              help="Replaces the usual first message. It runs without approval."
              onChange={(event) => change({ message: event.target.value })}
            />
          )}
          {fields.action === 'auto_create' && (
            <CheckField
              label="Steps that need approval wait in the Inbox"
              checked={fields.parks}
              onChange={(parks) => change({ parks })}
            >
              Without this, steps that need approval are refused, and the agent continues without them.
            </CheckField>
          )}
        </PageSection>
        <PageSection title="Which documents">
          <DocumentFilterFields
            filter={fields.filter}
            error={errors['filter']}
            resultNote={
              fields.action === 'run_extraction' && fields.promptId !== ''
                ? 'Documents without an extraction with this prompt. Nothing is extracted twice.'
                : 'Documents without an extraction. Nothing is extracted twice.'
            }
            onChange={(next) => change({ filter: next })}
          />
          <TextField
            label="At most in one run"
            type="number"
            min={1}
            max={1000}
            className="w-44"
            placeholder="1000"
            value={fields.maxDocuments}
            error={errors['max_documents']}
            onChange={(event) => change({ maxDocuments: event.target.value })}
          />
          <MatchCount matches={matches} />
        </PageSection>
        <CheckField label="Enabled" checked={fields.enabled} onChange={(enabled) => change({ enabled })}>
          While it is off it is never due. You can still run it by hand.
        </CheckField>
        {other !== undefined && <Notice tone="bad">{other}</Notice>}
        {saving.isError && other === undefined && (
          <Notice tone="bad">Not saved yet: fix the invalid field above.</Notice>
        )}
        <FormActions
          cancel={
            former === undefined
              ? { to: '/schedules' }
              : { to: '/schedules/$scheduleId', params: { scheduleId: former.id } }
          }
          isDisabled={saving.isPending || fields.name.trim() === ''}
        >
          {saving.isPending ? 'Saving…' : 'Save'}
        </FormActions>
      </form>
    </Page>
  );
}

function Actions({ chosen, onChange }: { chosen: ScheduleAction; onChange: (action: ScheduleAction) => void }) {
  return (
    <fieldset className="grid gap-2 sm:grid-cols-2">
      <legend className="sr-only">What</legend>
      {actions.map(({ value, label, note }) => (
        <label
          key={value}
          className="flex cursor-pointer items-start gap-2 rounded-md border border-line bg-raised p-3 text-sm hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft"
        >
          <input
            type="radio"
            name="action"
            checked={chosen === value}
            onChange={() => onChange(value)}
            className="mt-0.5 accent-accent"
          />
          <span>
            {label}
            <span className="block text-xs text-ink-soft">{note}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

interface ExtractionPromptProps {
  /** Empty for each document's own. */
  value: string;
  error: string | undefined;
  onChange: (promptId: string) => void;
}

/** Chooses the prompt to extract with, in its newest version at the time of the run. */
function ExtractionPrompt({ value, error, onChange }: ExtractionPromptProps) {
  const prompts = useNewestPrompts()?.prompts ?? [];
  const nameOf = usePromptName();
  const isListed = value === '' || prompts.some(({ prompt_id }) => prompt_id === value);
  return (
    <SelectField
      label="Prompt"
      value={value}
      options={[
        { value: '', label: 'Each document’s own' },
        ...(isListed ? [] : [{ value, label: nameOf(value) }]),
        ...prompts.map(({ prompt_id, name }) => ({ value: prompt_id, label: name })),
      ]}
      error={error}
      help="The newest version at the time of the run. A document’s own prompt shares a tag with it."
      onChange={onChange}
    />
  );
}

/** The form of a schedule. Fields of the other action are kept in the form and not sent. */
interface ScheduleFields {
  name: string;
  timing: TimingFields;
  action: ScheduleAction;
  filter: DocumentFilter;
  /** Empty for each document's own prompt. */
  promptId: string;
  /** Empty for the usual first message. */
  message: string;
  /** Empty for the maximum of one run. */
  maxDocuments: string;
  /** Whether calls that need approval wait in the inbox. */
  parks: boolean;
  enabled: boolean;
}

function scheduleFields(schedule: Schedule | undefined): ScheduleFields {
  return {
    name: schedule?.name ?? '',
    timing: schedule ? timingFields(schedule) : newTiming(localTimezone()),
    action: schedule?.action ?? 'run_extraction',
    // The next run skips documents that have a result already.
    filter: schedule?.filter ?? { without_result: true },
    promptId: schedule?.prompt_id ?? '',
    message: schedule?.message ?? '',
    maxDocuments: schedule?.max_documents?.toString() ?? '',
    parks: schedule?.on_ask === 'park',
    enabled: schedule?.enabled ?? true,
  };
}

/** The request bodies of the form; in a change, null removes prompt, message or limit. */
function scheduleBodies(fields: ScheduleFields): { create: NewSchedule; change: PatchScheduleBody } {
  const { name, timing, action, filter, enabled, parks } = fields;
  const on_ask = parks ? 'park' : 'deny';
  const both = { name: name.trim(), ...timingBody(timing), action, filter, on_ask, enabled } as const;
  const prompt_id = action === 'run_extraction' && fields.promptId !== '' ? fields.promptId : null;
  const message = action === 'auto_create' && fields.message.trim() !== '' ? fields.message.trim() : null;
  const max_documents = fields.maxDocuments === '' ? null : Number(fields.maxDocuments);
  const change = { ...both, prompt_id, message, max_documents };
  const create: NewSchedule = {
    ...both,
    ...(prompt_id === null ? {} : { prompt_id }),
    ...(message === null ? {} : { message }),
    ...(max_documents === null ? {} : { max_documents }),
  };
  return { create, change };
}
