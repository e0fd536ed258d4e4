import type { TurnContext, TurnEvent, Usage } from '@docwright/contract';
import { askedAgainIfSilent } from '../llm/asked-again.ts';
import type { ModelAnswer } from '../llm/llm-client.ts';
import { unfinishedAnswer } from '../llm/unfinished-answer.ts';
import { usageOf } from '../llm/token-usage.ts';
import { historyLimit } from '../history/history.ts';
import type { TurnRun } from './turn-run.ts';

/**
 * The answer that starts the next round: the model's, or the calls that a program supplied in its place. A turn of
 * supplied calls has this one round and asks no model.
 */
export async function* nextAnswer<Services>(run: TurnRun<Services>): AsyncGenerator<TurnEvent[], ModelAnswer> {
  const { settings } = run.progress.start;
  if (settings.given === undefined) return yield* askModel(run);
  const isFirstRound = run.progress.executedRounds.length === 0;
  return { content: '', reasoning: [], toolCalls: isFirstRound ? settings.given.calls : [] };
}

/** Size of the conversation. The answer counts as a message, the system prompt does not. */
function contextOf(usage: Usage, messagesSent: number): TurnContext {
  const tokens = usage.prompt_tokens + usage.completion_tokens;
  return { tokens, messages: messagesSent, max_messages: historyLimit };
}

/** One model call: emits text and thinking as they arrive, then the usage. */
async function* askModel<Services>(run: TurnRun<Services>): AsyncGenerator<TurnEvent[], ModelAnswer> {
  const { profile, services, llm, progress, signal } = run;
  const { model, reasoning, mentions, timeZone, language } = progress.start.settings;
  const workingState = progress.workingState.get();
  const context = { services, workingState, model, timeZone, language, mentions, history: progress.transcript, signal };
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
    ...(reasoning !== undefined && { reasoning }),
    signal,
  };
  let isThinking = false;
  let thinkingStartedAt = 0;
  const finishThinking = () => {
    isThinking = false;
    return progress.emit({
      type: 'thinking_done',
      full_text: progress.thinking,
      duration_ms: Date.now() - thinkingStartedAt,
    });
  };
  for await (const chunks of askedAgainIfSilent(llm, request)) {
    const events: TurnEvent[] = [];
    for (const chunk of chunks) {
      if (chunk.type === 'thinking_delta') {
        if (!isThinking) thinkingStartedAt = Date.now();
        isThinking = true;
        progress.thinking += chunk.text;
        events.push(progress.emit({ type: 'thinking_chunk', chunk: chunk.text }));
        continue;
      }
      if (isThinking) events.push(finishThinking());
      if (chunk.type === 'text_delta') {
        progress.text += chunk.text;
        events.push(progress.emit({ type: 'assistant_text_chunk', chunk: chunk.text }));
        continue;
      }
      // Without the calls that the model wrote into it.
      if (chunk.answer.toolCalls.length > 0) progress.text = chunk.answer.content;
      if (progress.text !== '') events.push(progress.emit({ type: 'assistant_text_done', full_text: progress.text }));
      const usage = usageOf(chunk.usage);
      progress.roundsUsed++;
      progress.addUsage(usage);
      progress.context = contextOf(usage, progress.transcript.length + 1);
      events.push(progress.emit({ type: 'usage', ...usage }));
      yield events;
      const failure = unfinishedAnswer(chunk, model);
      if (failure !== undefined) throw failure;
      return chunk.answer;
    }
    yield events;
  }
  throw new Error('The model client ended its stream without a finish.');
}
