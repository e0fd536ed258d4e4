import type { LlmModel, ReasoningLevel } from '@docwright/contract';
import { useState } from 'react';
import { Choice } from '../shared/ui/fields/choice.tsx';

export const reasoningLabels: Record<ReasoningLevel, string> = {
  off: 'Off',
  low: 'A little',
  medium: 'Some',
  high: 'A lot',
};

/** The schema of the contract has the same levels; with it, the first page would load all of zod. */
export const reasoningLevels = Object.keys(reasoningLabels) as ReasoningLevel[];

/** The level that a field was set to. */
export const levelOf = (value: string): ReasoningLevel | undefined => reasoningLevels.find((level) => level === value);

type ChosenReasoning = ReturnType<typeof useChosenReasoning>;

/** How much the model thinks in one conversation: what was chosen here, until another conversation is opened. */
export function useChosenReasoning(threadId: string | undefined) {
  const [chosen, setChosen] = useState<{ threadId: string | undefined; level: ReasoningLevel | null }>();
  // A new conversation gets its id with the first message.
  const isOfThread = chosen !== undefined && (chosen.threadId === undefined || chosen.threadId === threadId);
  if (isOfThread && chosen.threadId !== threadId) setChosen({ ...chosen, threadId });
  return {
    /** To send with the next message; undefined: nothing was chosen, the server keeps what it has. */
    reasoning: isOfThread ? chosen.level : undefined,
    choose: (level: ReasoningLevel | null) => setChosen({ threadId, level }),
  };
}

interface ReasoningChoiceProps extends ChosenReasoning {
  /** What the server has stored for the conversation. */
  stored: ReasoningLevel | undefined;
  model: LlmModel | undefined;
}

export function ReasoningChoice({ reasoning, choose, stored, model }: ReasoningChoiceProps) {
  if (model === undefined || model.id.startsWith('demo-rules')) return null;
  const level = reasoning === undefined ? stored : (reasoning ?? undefined);
  const own =
    model.reasoning === undefined ? 'as its endpoint decides' : reasoningLabels[model.reasoning].toLowerCase();
  return (
    <Choice
      label="Thinking"
      value={level ?? 'own'}
      onChange={(value) => choose(levelOf(value) ?? null)}
      className="max-w-full border-transparent bg-transparent text-ink-soft"
      options={[
        { value: 'own', label: 'Thinking', note: own },
        ...reasoningLevels.map((each) => ({
          value: each,
          label: `Thinking: ${reasoningLabels[each].toLowerCase()}`,
        })),
      ]}
    />
  );
}
