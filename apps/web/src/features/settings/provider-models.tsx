import type { LlmProvider } from '@docwright/contract';
import { RefreshCw } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { messageOf } from '../../shared/http/api-error.ts';
import { discoverModels, providersQuery } from '../../shared/api/models-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { inputClass } from '../../shared/ui/fields/text-field.tsx';
import { levelOf, reasoningLabels, reasoningLevels } from '../../agent-ui/reasoning-choice.tsx';
import { withChat, withModel, withReasoning, withVision, type ProviderDraft } from './provider-draft.ts';
import { useChange } from '../../shared/page/use-change.ts';

interface ProviderModelsProps {
  provider: LlmProvider;
  draft: ProviderDraft;
  onDraft: (change: (before: ProviderDraft) => ProviderDraft) => void;
}

/** From this many models on, a search field is shown. */
const searchedFrom = 10;

/** Chooses the models of a provider that are used, offered for chat, and see images, and how much they think. */
export function ProviderModels({ provider, draft, onDraft }: ProviderModelsProps) {
  const { orgId } = useSession();
  const [search, setSearch] = useState('');
  const loading = useChange(() => discoverModels(orgId, provider.name), {
    refreshes: [providersQuery(orgId).queryKey],
  });
  const ask = useEffectEvent(() => loading.mutate());
  const unknown = provider.litellm_models_available.length === 0;
  useEffect(() => {
    if (unknown) ask();
  }, [unknown]);
  const all = [...new Set([...provider.litellm_models_available, ...provider.litellm_models_enabled, ...draft.models])];
  const query = search.trim().toLowerCase();
  const shown = all.filter((model) => model.toLowerCase().includes(query));
  const named = search.trim();
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 text-sm font-medium">Models</legend>
      <div className="flex flex-wrap items-center gap-2">
        <Button size="small" disabled={loading.isPending} onClick={() => loading.mutate()}>
          <RefreshCw aria-hidden className={`size-3.5 ${loading.isPending ? 'animate-spin' : ''}`} />
          {loading.isPending ? 'Loading…' : 'Reload its models'}
        </Button>
        <span className="text-xs text-ink-faint tabular-nums">
          {draft.models.length} of {all.length} in use
        </span>
      </div>
      {loading.isError && <Notice tone="bad">{messageOf(loading.error)}</Notice>}
      {(all.length >= searchedFrom || unknown) && (
        <div className="flex gap-2">
          <input
            type="search"
            aria-label="Find or name a model"
            placeholder="Find or name a model"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') event.preventDefault();
            }}
            className={inputClass}
          />
          {named !== '' && !all.includes(named) && (
            <Button
              onClick={() => {
                onDraft((before) => withModel(before, named, true));
                setSearch('');
              }}
            >
              Use “{named}”
            </Button>
          )}
        </div>
      )}
      {all.length > 0 && (
        <div className="max-h-72 overflow-y-auto rounded-md border border-line">
          <table className="w-full table-fixed text-sm">
            <thead className="sticky top-0 z-1 bg-surface">
              <tr className="h-8 text-left text-xs text-ink-faint [&>th]:font-medium">
                <th className="px-2.5">Model</th>
                <th className="w-16 text-center">Use</th>
                <th className="w-20 text-center">For chat</th>
                <th className="w-24 text-center">Sees images</th>
                <th className="w-28 text-center">Thinks</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((model) => {
                const inUse = draft.models.includes(model);
                return (
                  <tr key={model} className="border-t border-line">
                    <td className="px-2.5 py-1.5 wrap-anywhere">{model}</td>
                    <td className="text-center">
                      <input
                        type="checkbox"
                        aria-label={`Use ${model}`}
                        checked={inUse}
                        onChange={() => onDraft((before) => withModel(before, model, !inUse))}
                        className="size-4 align-middle accent-accent"
                      />
                    </td>
                    <td className="text-center">
                      <input
                        type="checkbox"
                        aria-label={`Offer ${model} for chat`}
                        disabled={!inUse}
                        checked={draft.chatModels.includes(model)}
                        onChange={(event) => onDraft((before) => withChat(before, model, event.target.checked))}
                        className="size-4 align-middle accent-accent disabled:opacity-40"
                      />
                    </td>
                    <td className="text-center">
                      <input
                        type="checkbox"
                        aria-label={`${model} sees images`}
                        disabled={!inUse}
                        checked={draft.visionModels.includes(model)}
                        onChange={(event) => onDraft((before) => withVision(before, model, event.target.checked))}
                        className="size-4 align-middle accent-accent disabled:opacity-40"
                      />
                    </td>
                    <td className="px-1 text-center">
                      <select
                        aria-label={`How much ${model} thinks`}
                        disabled={!inUse}
                        value={draft.reasoning[model] ?? ''}
                        onChange={({ target: { value } }) =>
                          onDraft((before) => withReasoning(before, model, levelOf(value)))
                        }
                        className="h-7 w-full rounded-md border border-line bg-raised px-1 text-sm disabled:opacity-40"
                      >
                        <option value="">Its own way</option>
                        {reasoningLevels.map((level) => (
                          <option key={level} value={level}>
                            {reasoningLabels[level]}
                          </option>
                        ))}
                      </select>
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
          {shown.length === 0 && <p className="px-2.5 py-2 text-sm text-ink-faint">No model has this in its name.</p>}
        </div>
      )}
    </fieldset>
  );
}

/** What the endpoint refused for its models, and what it gets since then. Forgotten, it is tried again. */
export function DialectField({ provider, draft, onDraft }: ProviderModelsProps) {
  const models = [...new Set(provider.dialect.map(({ model }) => model))].filter(
    (model) => !draft.forgotten.includes(model),
  );
  if (models.length === 0) return null;
  return (
    <section aria-label="Plainer forms" className="flex min-w-0 flex-col gap-2">
      <h3 className="text-sm font-medium">Plainer forms</h3>
      <p className="text-xs text-ink-faint">
        The endpoint refused parts of requests. It gets the plainer form since then.
      </p>
      {models.map((model) => (
        <div key={model} className="flex items-start gap-2 rounded-md border border-line p-2.5 text-sm">
          <div className="min-w-0 flex-1">
            <p className="wrap-anywhere">{model}</p>
            <ul className="text-xs text-ink-soft">
              {provider.dialect
                .filter((entry) => entry.model === model)
                .map(({ refused, instead, reason }) => (
                  <li key={refused} className="wrap-anywhere">
                    <code className="font-mono">{refused}</code> refused
                    {reason !== null && <q className="mx-1 text-ink-faint">{reason}</q>} → {instead}
                  </li>
                ))}
            </ul>
          </div>
          <Button
            size="small"
            aria-label={`Try ${model} again`}
            onClick={() => onDraft((before) => ({ ...before, forgotten: [...before.forgotten, model] }))}
          >
            Try again
          </Button>
        </div>
      ))}
    </section>
  );
}
