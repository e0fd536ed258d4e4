import type { ConnectorKind, Source } from '@docwright/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { PlugZap } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import {
  changeSource,
  createSource,
  sourceQuery,
  sourcesKey,
  tryConnector,
  type ConnectorBody,
} from '../../../shared/api/sources-api.ts';
import { formatSize } from '../../../shared/formats/format-document.ts';
import { messageOf } from '../../../shared/http/api-error.ts';
import { changedParts } from '../../../shared/http/changed-parts.ts';
import { asSeen, seenState } from '../../../shared/http/seen-state.ts';
import { TagChoice } from '../../../shared/labels/tag-choice.tsx';
import { FormActions } from '../../../shared/page/page.tsx';
import { useSession } from '../../../shared/session/session.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { UnsavedGuard } from '../../../shared/ui/dialogs/unsaved-guard.tsx';
import { CheckField } from '../../../shared/ui/fields/check-field.tsx';
import { RadioChoices } from '../../../shared/ui/fields/radio-choices.tsx';
import { SelectField } from '../../../shared/ui/fields/select-field.tsx';
import { TextField } from '../../../shared/ui/fields/text-field.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { BucketFields } from './bucket-fields.tsx';
import { FolderFields } from './folder-fields.tsx';
import { MailFields } from './mail-fields.tsx';
import {
  changeableParts,
  connectorOf,
  isSendable,
  sourceBody,
  sourceChange,
  sourceDraft,
  type SourceDraft,
} from './source-draft.ts';

const kinds: { value: ConnectorKind; label: string }[] = [
  { value: 'folder', label: 'Folder on the server' },
  { value: 's3', label: 'Bucket (S3)' },
  { value: 'imap', label: 'Mailbox (IMAP)' },
];
const kindFields = { folder: FolderFields, s3: BucketFields, imap: MailFields };

const intervals = [
  { value: '1m', label: 'every minute' },
  { value: '5m', label: 'every 5 minutes' },
  { value: '15m', label: 'every 15 minutes' },
  { value: '1h', label: 'every hour' },
  { value: '6h', label: 'every 6 hours' },
  { value: '1d', label: 'every day' },
];

const proposals: { value: SourceDraft['autoCreate']; label: string }[] = [
  { value: '', label: 'As the organization’s setting says' },
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
];

interface SourceFormProps {
  /** Absent for a new source. */
  source?: Source;
  onSaved: (source: Source) => void;
}

/** Makes or changes a source that fills itself. */
export function SourceForm({ source, onSaved }: SourceFormProps) {
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  // The user changes the source as it was opened: what others save meanwhile is no change of this form.
  const [opened, setOpened] = useState(source);
  const [seen] = useState(() => seenState<object>(opened === undefined ? {} : changeableParts(opened)));
  const [initial, setInitial] = useState(() => sourceDraft(source));
  const [draft, setDraft] = useState(initial);
  const onChange = (part: Partial<SourceDraft>) => setDraft((present) => ({ ...present, ...part }));
  const isDirty = JSON.stringify(draft) !== JSON.stringify(initial);
  const complete = isSendable(draft, opened);
  const saving = useMutation({
    mutationFn: async (sent: SourceDraft) => {
      if (opened === undefined) return await createSource(orgId, sourceBody(sent));
      const change = sourceChange(sent, opened);
      const now = await queryClient.fetchQuery({ ...sourceQuery(orgId, opened.id), staleTime: 0 });
      seen.check(change, changeableParts(now));
      return await changeSource(orgId, opened.id, asSeen(change, now));
    },
    onSuccess: async (saved, sent) => {
      const next = sourceDraft(saved);
      if (opened !== undefined) {
        setOpened(saved);
        seen.saw(changeableParts(saved));
      }
      setInitial(next);
      // A connection takes its time: what the user typed meanwhile stays.
      setDraft((typed) => ({ ...next, ...changedParts(typed, sent) }));
      await queryClient.invalidateQueries({ queryKey: sourcesKey(orgId) });
      onSaved(saved);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate(draft);
  };
  const Fields = kindFields[draft.kind];
  const isListed = intervals.some(({ value }) => value === draft.every);
  return (
    <form onSubmit={submit} aria-label="Source" className="flex max-w-3xl flex-col gap-4">
      <UnsavedGuard dirty={isDirty && !saving.isPending} />
      {source === undefined && (
        <RadioChoices
          legend="Where its files are"
          value={draft.kind}
          options={kinds}
          onChange={(kind) => onChange({ kind, secret: '', clientSecret: '' })}
        />
      )}
      <TextField
        label="Name"
        required
        maxLength={200}
        value={draft.name}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <Fields draft={draft} former={opened} onChange={onChange} />
      <ConnectorTrial
        connector={connectorOf(draft, opened)}
        sourceId={source?.id}
        disabled={!isSendable({ ...draft, name: 'any' }, opened)}
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <SelectField
          label="Look for files"
          value={draft.every}
          options={isListed ? intervals : [{ value: draft.every, label: `every ${draft.every}` }, ...intervals]}
          help={draft.kind === 'folder' ? 'And soon after a change, where the server can watch the folder.' : undefined}
          onChange={(every) => onChange({ every })}
        />
        <SelectField
          label="Make a proposal for each document"
          value={draft.autoCreate}
          options={proposals}
          onChange={(value) => onChange({ autoCreate: value as SourceDraft['autoCreate'] })}
        />
      </div>
      <TagChoice
        legend="Tags"
        note="Documents that come from now on get all of these."
        value={draft.tagIds}
        onChange={(tagIds) => onChange({ tagIds })}
      />
      <CheckField
        label="Keep its documents from models"
        checked={draft.neverToModel}
        onChange={(neverToModel) => onChange({ neverToModel })}
      >
        No model sees what it has brought or brings, except one in the house.
      </CheckField>
      <CheckField label="On" checked={draft.enabled} onChange={(enabled) => onChange({ enabled })}>
        While it is off, its files are not looked at.
      </CheckField>
      {saving.isError && <Notice tone="bad">{messageOf(saving.error)}</Notice>}
      <FormActions
        cancel={{ to: '/setup/sources' }}
        isDisabled={saving.isPending || !complete || (source !== undefined && !isDirty)}
      >
        {saving.isPending ? 'Connecting…' : source === undefined ? 'Add the source' : 'Save'}
      </FormActions>
    </form>
  );
}

interface ConnectorTrialProps {
  connector: ConnectorBody;
  /** Whose stored secrets hold where none is typed. */
  sourceId: string | undefined;
  disabled: boolean;
}

/** Connects and lists the first files, before anything is saved. */
function ConnectorTrial({ connector, sourceId, disabled }: ConnectorTrialProps) {
  const { orgId } = useSession();
  const key = JSON.stringify(connector);
  const [tried, setTried] = useState<string>();
  const trying = useMutation({
    mutationFn: () => tryConnector(orgId, { connector, ...(sourceId !== undefined && { source_id: sourceId }) }),
    onMutate: () => setTried(key),
  });
  const isCurrent = tried === key;
  const found = isCurrent ? trying.data : undefined;
  return (
    <div className="flex flex-col gap-2 rounded-md bg-sunken p-3">
      <div className="flex flex-wrap items-center gap-2">
        <Button disabled={disabled || trying.isPending} onClick={() => trying.mutate()}>
          <PlugZap aria-hidden className="size-4" /> {trying.isPending ? 'Connecting…' : 'Test the connection'}
        </Button>
        <span className="text-xs text-ink-soft">Lists the first files. Nothing is taken.</span>
      </div>
      {isCurrent && trying.isError && <Notice tone="bad">{messageOf(trying.error)}</Notice>}
      {found && (
        <output className="flex flex-col gap-1 text-sm">
          <p className="font-medium text-good">
            It works. {found.files.length === 0 ? 'There are no files at the moment.' : 'The first files:'}
          </p>
          <ul className="flex max-h-48 flex-col gap-0.5 overflow-auto">
            {found.files.map(({ name, size_bytes }) => (
              <li key={name} className="flex gap-3">
                <span className="min-w-0 flex-1 wrap-anywhere">{name}</span>
                <span className="shrink-0 text-ink-soft tabular-nums">{formatSize(size_bytes)}</span>
              </li>
            ))}
          </ul>
          {found.has_more && <p className="text-ink-soft">And more.</p>}
        </output>
      )}
    </div>
  );
}
