import type { LlmProvider, ProviderKind } from '@docwright/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { messageOf } from '../../shared/http/api-error.ts';
import { changedParts } from '../../shared/http/changed-parts.ts';
import { asSeen, seenState } from '../../shared/http/seen-state.ts';
import { providersQuery, putProvider } from '../../shared/api/models-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { CheckField } from '../../shared/ui/fields/check-field.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { SelectField } from '../../shared/ui/fields/select-field.tsx';
import { TextField } from '../../shared/ui/fields/text-field.tsx';
import { UnsavedGuard } from '../../shared/ui/dialogs/unsaved-guard.tsx';
import { bodyOf, draftOf, isServerEndpoint, providerNameOf, type ProviderDraft } from './provider-draft.ts';
import { DialectField, ProviderModels } from './provider-models.tsx';

const kinds: { value: ProviderKind | 'guessed'; label: string }[] = [
  { value: 'guessed', label: 'Detect from the address' },
  { value: 'openai', label: 'OpenAI' },
  { value: 'anthropic', label: 'Anthropic' },
  { value: 'gemini', label: 'Gemini' },
  { value: 'deepseek', label: 'DeepSeek' },
  { value: 'mistral', label: 'Mistral' },
  { value: 'ollama', label: 'Ollama' },
  { value: 'bedrock', label: 'Bedrock' },
  { value: 'openrouter', label: 'OpenRouter' },
  { value: 'other', label: 'Other' },
];

interface ProviderFormProps {
  /** Undefined for a new provider. */
  provider: LlmProvider | undefined;
  taken: string[];
  onSaved: (provider: LlmProvider) => void;
  onClose: () => void;
}

/** Edits the address, token and models of a provider, saved together. */
export function ProviderForm({ provider, taken, onSaved, onClose }: ProviderFormProps) {
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  // The user changes the provider as it was opened: what others save meanwhile is no change of this form.
  const [opened, setOpened] = useState(provider);
  const [seen] = useState(() => seenState<Partial<LlmProvider>>(provider ?? {}));
  const [draft, setDraft] = useState(() => draftOf(provider));
  const change = (patch: Partial<ProviderDraft>) => setDraft((before) => ({ ...before, ...patch }));
  /** Another host is in the house only if an admin says so again. */
  const changeAddress = (baseUrl: string) =>
    change({ baseUrl, ...(originOf(baseUrl) !== originOf(draft.baseUrl) && { isLocal: false }) });
  const name = provider?.name ?? providerNameOf(draft.displayName);
  const ofSettings = isServerEndpoint(provider?.name);
  // What was learned about its models meanwhile stays.
  const body = bodyOf(draft, opened && { ...opened, ...(provider && { dialect: provider.dialect }) });
  const dirty = Object.keys(body).length > 0;
  const isTaken = provider === undefined && taken.includes(name);
  const saving = useMutation({
    mutationFn: async () => {
      if (opened !== undefined) {
        const { providers } = await queryClient.fetchQuery({ ...providersQuery(orgId), staleTime: 0 });
        const now = providers.find((each) => each.name === name);
        if (now !== undefined) {
          seen.check({ ...body, dialect: now.dialect }, now);
          // A token is sent in full, and refusals are learned meanwhile.
          const { dialect: _dialect, token: _token, ...compared } = body;
          return { saved: await putProvider(orgId, name, { ...body, ...asSeen(compared, now) }), sent: draft };
        }
      }
      return { saved: await putProvider(orgId, name, body), sent: draft };
    },
    onSuccess: async ({ saved, sent }) => {
      setOpened(saved);
      seen.saw(saved);
      // Loading its models takes its time: what the user typed meanwhile stays.
      setDraft((typed) => ({ ...draftOf(saved), ...changedParts(typed, sent) }));
      onSaved(saved);
      await Promise.all(
        ['providers', 'models'].map((key) => queryClient.invalidateQueries({ queryKey: [key, orgId] })),
      );
    },
  });
  const movesAway = provider?.token != null && originOf(draft.baseUrl) !== originOf(provider.base_url);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (dirty && !isTaken && name !== '') saving.mutate();
  };
  return (
    <form
      onSubmit={onSubmit}
      aria-label={provider ? `Provider ${provider.display_name}` : 'New provider'}
      className="flex flex-col gap-4 p-3"
    >
      <UnsavedGuard dirty={dirty && !saving.isPending} />
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label="Name"
          required
          maxLength={100}
          placeholder="Our OpenAI account"
          value={draft.displayName}
          error={isTaken ? 'A provider with this name exists.' : undefined}
          {...(provider === undefined && name !== '' ? { help: `Its models are called ${name}/…` } : {})}
          onChange={(event) => change({ displayName: event.target.value })}
        />
        {!ofSettings && (
          <SelectField
            label="Kind"
            value={draft.kind}
            options={kinds}
            help="The API that the endpoint offers."
            onChange={(kind) => change({ kind: kind as ProviderDraft['kind'] })}
          />
        )}
        {!ofSettings && (
          <>
            <TextField
              label="Address"
              type="url"
              required
              placeholder="https://api.openai.com/v1"
              help="Usually ends in /v1."
              value={draft.baseUrl}
              onChange={(event) => changeAddress(event.target.value)}
            />
            <TokenField provider={provider} draft={draft} movesAway={movesAway} onChange={change} />
          </>
        )}
      </div>
      {!ofSettings && (
        <CheckField label="In use" checked={draft.enabled} onChange={(enabled) => change({ enabled })}>
          If off, none of its models is offered.
        </CheckField>
      )}
      <CheckField label="In the house" checked={draft.isLocal} onChange={(isLocal) => change({ isLocal })}>
        It keeps what it gets: documents that are kept from models may go to it, and to no other.
      </CheckField>
      {provider && <ProviderModels provider={provider} draft={draft} onDraft={setDraft} />}
      {provider && <DialectField provider={provider} draft={draft} onDraft={setDraft} />}
      {saving.isError && <Notice tone="bad">{messageOf(saving.error)}</Notice>}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{dirty ? 'Cancel' : 'Close'}</Button>
        <Button type="submit" look="primary" disabled={!dirty || isTaken || name === '' || saving.isPending}>
          {provider ? 'Save' : 'Add and load its models'}
        </Button>
      </div>
    </form>
  );
}

const originOf = (address: string) => URL.parse(address)?.origin;

interface TokenFieldProps {
  provider: LlmProvider | undefined;
  draft: ProviderDraft;
  /** Whether the new address has another origin than the one that the stored token belongs to. */
  movesAway: boolean;
  onChange: (patch: Partial<ProviderDraft>) => void;
}

function TokenField({ provider, draft, movesAway, onChange }: TokenFieldProps) {
  const stored = provider?.token ?? undefined;
  const help = movesAway
    ? 'The stored token belongs to the old address. Enter one for the new address.'
    : draft.removesToken
      ? 'Will be removed.'
      : stored === undefined
        ? 'Stored encrypted, never shown again.'
        : 'Leave empty to keep it.';
  return (
    <div className="flex items-start gap-2">
      <TextField
        label="Token"
        type="password"
        autoComplete="off"
        className="min-w-0 flex-1"
        placeholder={draft.removesToken ? 'none' : (stored ?? 'none')}
        help={help}
        value={draft.token}
        onChange={(event) => onChange({ token: event.target.value, removesToken: false })}
      />
      {stored !== undefined && (
        <Button className="mt-5.5" onClick={() => onChange({ removesToken: !draft.removesToken, token: '' })}>
          {draft.removesToken ? 'Keep' : 'Remove'}
        </Button>
      )}
    </div>
  );
}
