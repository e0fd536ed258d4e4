import type { LlmModel } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { chatModelsQuery } from '../shared/api/library-api.ts';
import { useSession } from '../shared/session/session.tsx';
import { Choice } from '../shared/ui/fields/choice.tsx';
import { useStoredValue } from '../shared/ui/browser/stored-value.ts';

/** Whether a model is the built-in demo: a set of rules, not a language model. */
const isDemoModel = (id: string) => id.startsWith('demo-rules');

interface ChosenModel {
  models: LlmModel[];
  model: string | undefined;
  choose: (id: string) => void;
}

/** The chat model: the user's last choice while it exists, else the organization's default. */
export function useChosenModel(): ChosenModel {
  const { orgId } = useSession();
  const models = useQuery(chatModelsQuery(orgId)).data?.models ?? [];
  const [stored, choose] = useStoredValue('docwright.chat-model');
  const chosen = models.find(({ id }) => id === stored) ?? models.find((model) => model.default) ?? models[0];
  return { models, model: chosen?.id, choose };
}

export const modelOf = ({ models, model }: ChosenModel) => models.find(({ id }) => id === model);

export function ModelChoice({ models, model, choose }: ChosenModel) {
  if (model === undefined) return null;
  return (
    <Choice
      label="Model"
      value={model}
      onChange={choose}
      className="max-w-full border-transparent bg-transparent text-ink-soft"
      options={models.map(({ id, provider }) => ({
        value: id,
        label: id,
        note: isDemoModel(id) ? 'rules, not a language model' : provider,
      }))}
    />
  );
}

/** Explains the demo model in an empty conversation; nothing for a real model. */
export function DemoHint({ model }: { model: string | undefined }) {
  if (model === undefined || !isDemoModel(model)) return null;
  return (
    <p className="shrink-0 bg-surface px-3 pb-2 text-xs text-ink-faint">
      <strong className="font-medium text-ink-soft">demo-rules-1</strong> — rules, not a language model. To connect a
      real one, start the server with <code className="font-mono">LLM_BASE_URL</code>,{' '}
      <code className="font-mono">LLM_API_KEY</code> and <code className="font-mono">LLM_MODEL</code> set.
    </p>
  );
}
