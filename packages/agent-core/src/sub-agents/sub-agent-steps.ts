import type { PluginInfo, TurnEvent } from '@docwright/contract';

/** The current activity of a sub-agent, for users. */
export interface SubAgentStep {
  /** One plain sentence. Names of documents in it are untrusted data. */
  readonly message: string;
  /** Number of completed calls, if the step is one of several. */
  readonly done?: number;
  readonly total?: number;
}
export type EmitStep = (step: SubAgentStep) => void;

/** Emits a step for each call of a turn when the call starts; calls of one answer run one after the other. */
export function createStepEmitter(emitStep: EmitStep): (event: TurnEvent) => void {
  let messages: string[] = [];
  let done = 0;
  const emitNext = () => {
    const message = messages[done];
    if (message === undefined) return;
    emitStep(messages.length > 1 ? { message, done, total: messages.length } : { message });
  };
  return (event) => {
    if (event.type === 'tool_calls') {
      messages = event.tool_calls.map(({ summary }) => summary);
      done = 0;
      emitNext();
    } else if (event.type === 'tool_result') {
      done += 1;
      emitNext();
    }
  };
}

/** The name of a plugin for users. */
export function pluginDisplayName(plugins: readonly Pick<PluginInfo, 'id' | 'name'>[], id: string): string {
  return displayName(plugins.find((plugin) => plugin.id === id)?.name ?? id);
}

const maxNameLength = 80;

/** The name of a document or part for a step: one line of limited length. */
export function displayName(name: string): string {
  const line = name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return line.length > maxNameLength ? `${line.slice(0, maxNameLength)}…` : line;
}
