import type { TurnEvent } from '@docwright/contract';
import type { ModelAnswer } from '../llm/llm-client.ts';
import { usageOf } from '../llm/token-usage.ts';
import type { TurnRun } from './turn-run.ts';

/** One model call: says text and thinking as they come, then what the call used. */
export async function* askModel<Services>(run: TurnRun<Services>): AsyncGenerator<TurnEvent, ModelAnswer> {
  const { profile, services, llm, progress, signal } = run;
  const { model, mentions } = progress.start.settings;
  const system = await profile.buildSystemPrompt({ services, workingState: progress.workingState.get(), mentions });
  signal.throwIfAborted();
  const request = {
    model,
    messages: [{ role: 'system' as const, content: system }, ...progress.transcript],
    tools: profile.tools.definitions,
    signal,
  };
  let isThinking = false;
  const thought = () => {
    isThinking = false;
    return progress.say({ type: 'thinking_done', full_text: progress.thinking });
  };
  for await (const chunk of llm.stream(request)) {
    if (chunk.type === 'thinking_delta') {
      isThinking = true;
      progress.thinking += chunk.text;
      yield progress.say({ type: 'thinking_chunk', chunk: chunk.text });
    } else if (chunk.type === 'text_delta') {
      if (isThinking) yield thought();
      progress.text += chunk.text;
      yield progress.say({ type: 'assistant_text_chunk', chunk: chunk.text });
    } else {
      if (isThinking) yield thought();
      if (progress.text !== '') yield progress.say({ type: 'assistant_text_done', full_text: progress.text });
      const usage = usageOf(chunk.usage);
      progress.roundsUsed++;
      progress.addUsage(usage);
      yield progress.say({ type: 'usage', ...usage });
      return chunk.answer;
    }
  }
  throw new Error('The model client ended its stream without a finish.');
}
