import type { TurnContext, TurnEvent, Usage } from '@docwright/contract';
import type { ModelAnswer } from '../llm/llm-client.ts';
import { usageOf } from '../llm/token-usage.ts';
import { historyLimit } from '../history/history.ts';
import type { TurnRun } from './turn-run.ts';

/**
 * What the next round begins with: the model's answer, or the calls that a program gave in its place. These are the
 * whole turn: after them nothing is left to say, and no model is asked.
 */
export async function* nextAnswer<Services>(run: TurnRun<Services>): AsyncGenerator<TurnEvent[], ModelAnswer> {
  const { settings } = run.progress.start;
  if (settings.given === undefined) return yield* askModel(run);
  const isBegun = run.progress.executedRounds.length > 0;
  return { content: '', reasoning: [], toolCalls: isBegun ? [] : settings.given.calls };
}

/** The system prompt does not count as a message, the answer does. */
function contextOf(usage: Usage, messagesSent: number): TurnContext {
  const tokens = usage.prompt_tokens + usage.completion_tokens;
  return { tokens, messages: messagesSent, max_messages: historyLimit };
}

/** One model call: says text and thinking as they come, then what the call used. */
export async function* askModel<Services>(run: TurnRun<Services>): AsyncGenerator<TurnEvent[], ModelAnswer> {
  const { profile, services, llm, progress, signal } = run;
  const { model, mentions } = progress.start.settings;
  const workingState = progress.workingState.get();
  const { timeZone } = progress.start.settings;
  const context = { services, workingState, model, timeZone, mentions, history: progress.transcript };
  const system = await profile.buildSystemPrompt(context);
  const tail = (await profile.buildTail?.(context)) ?? '';
  const tools = (await profile.offered?.(context)) ?? profile.tools.lean;
  const history = (await profile.withImages?.(context)) ?? progress.transcript;
  signal.throwIfAborted();
  const request = {
    model,
    messages: [
      { role: 'system' as const, content: system },
      ...history,
      ...(tail === '' ? [] : [{ role: 'system' as const, content: tail }]),
    ],
    tools,
    signal,
  };
  let isThinking = false;
  let since = 0;
  const thought = () => {
    isThinking = false;
    return progress.emit({ type: 'thinking_done', full_text: progress.thinking, duration_ms: Date.now() - since });
  };
  for await (const chunks of llm.stream(request)) {
    const said: TurnEvent[] = [];
    for (const chunk of chunks) {
      if (chunk.type === 'thinking_delta') {
        if (!isThinking) since = Date.now();
        isThinking = true;
        progress.thinking += chunk.text;
        said.push(progress.emit({ type: 'thinking_chunk', chunk: chunk.text }));
        continue;
      }
      if (isThinking) said.push(thought());
      if (chunk.type === 'text_delta') {
        progress.text += chunk.text;
        said.push(progress.emit({ type: 'assistant_text_chunk', chunk: chunk.text }));
        continue;
      }
      if (progress.text !== '') said.push(progress.emit({ type: 'assistant_text_done', full_text: progress.text }));
      const usage = usageOf(chunk.usage);
      progress.roundsUsed++;
      progress.addUsage(usage);
      progress.context = contextOf(usage, progress.transcript.length + 1);
      said.push(progress.emit({ type: 'usage', ...usage }));
      yield said;
      return chunk.answer;
    }
    yield said;
  }
  throw new Error('The model client ended its stream without a finish.');
}
