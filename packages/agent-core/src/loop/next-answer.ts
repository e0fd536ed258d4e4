import type { TurnEvent } from '@docwright/contract';
import type { ModelAnswer } from '../llm/llm-client.ts';
import { askModel } from './ask-model.ts';
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
