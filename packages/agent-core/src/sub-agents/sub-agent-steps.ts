import type { PluginInfo, TurnEvent } from '@docwright/contract';

/** What a sub-agent does just now, for a person. Names of documents in it are data. */
export interface SubAgentStep {
  /** One plain sentence. */
  readonly message: string;
  /** How far it is, where that can be counted. */
  readonly done?: number;
  readonly total?: number;
}
export type EmitStep = (step: SubAgentStep) => void;

/** Tells each call of a turn as a step when its turn comes: calls of one answer run one after the other. */
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

/** A plugin as a person knows it. */
export function nameOfPlugin(plugins: readonly Pick<PluginInfo, 'id' | 'name'>[], id: string): string {
  return shownName(plugins.find((plugin) => plugin.id === id)?.name ?? id);
}

const maxOfAName = 80;

/** The name of a document or part as it stands in a step: one line of it, which ends somewhere. */
export function shownName(name: string): string {
  const line = name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return line.length > maxOfAName ? `${line.slice(0, maxOfAName)}…` : line;
}
