import { DomainError, type Preview, type ProposedCall } from '@docwright/contract';
import type { LlmAssistantMessage, LlmToolCall, ModelAnswer, ModelToolCall } from '../llm/llm-client.ts';
import { newCallId } from './call-id.ts';
import { effectOf, prepareCall, type PreparedCall } from './prepare-call.ts';
import { contextMaker, type TurnRun } from './turn-run.ts';
import { validName } from './valid-name.ts';

/** A call of a batch, as it is shown and as it can be run. */
export interface BatchCall<Services> {
  readonly proposed: ProposedCall;
  readonly prepared: PreparedCall<Services>;
}

/** Gives each call of an answer our id, checks it, decides on it, and writes the answer into the transcript. */
export async function proposeBatch<Services>(
  run: TurnRun<Services>,
  answer: ModelAnswer,
): Promise<BatchCall<Services>[]> {
  const batch: BatchCall<Services>[] = [];
  const sent: LlmToolCall[] = [];
  for (const call of answer.toolCalls) {
    const id = newCallId();
    const prepared = preparedOf(run, call);
    batch.push({ prepared, proposed: await propose(run, id, call.name, prepared) });
    const { truncated: _, ...kept } = call;
    sent.push({ ...kept, id, name: validName(call.name), arguments: prepared.arguments });
  }
  addAnswer(run, answer, sent);
  return batch;
}

/** Writes an answer into the transcript; one that says nothing is left out. */
export function addAnswer<Services>(
  { progress }: TurnRun<Services>,
  answer: Pick<ModelAnswer, 'content' | 'reasoning'>,
  toolCalls: readonly LlmToolCall[],
): void {
  if (answer.content === '' && toolCalls.length === 0) return;
  const message: LlmAssistantMessage = {
    role: 'assistant',
    content: answer.content,
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
    ...(answer.reasoning.length === 0 ? {} : { reasoning: answer.reasoning }),
    model: progress.start.settings.model,
  };
  progress.transcript.push(message);
}

function preparedOf<Services>(run: TurnRun<Services>, call: ModelToolCall): PreparedCall<Services> {
  if (call.truncated === true) {
    return {
      arguments: '{}',
      refusal: 'This call was cut off before its end and has not been run. Write it again, shorter.',
    };
  }
  return prepareCall(run.profile.tools, call.name, call.arguments);
}

async function propose<Services>(
  run: TurnRun<Services>,
  id: string,
  name: string,
  prepared: PreparedCall<Services>,
): Promise<ProposedCall> {
  const call = { id, name, arguments: prepared.arguments, effect: effectOf(prepared) };
  if (prepared.refusal !== undefined) return { ...call, summary: name, needs_approval: false };
  const { tool, args } = prepared;
  const permission = run.decide({ tool: name, effect: tool.effect, args });
  const needs_approval = permission.effect === 'ask' && tool.awaitsAnswers !== true;
  const preview = needs_approval ? await previewOf(run, id, prepared) : undefined;
  return {
    ...call,
    summary: tool.summarize?.(args) ?? name,
    needs_approval,
    ...(preview === undefined ? {} : { preview }),
  };
}

/** A preview that cannot be made is none: the call may still be decided, and says itself what is wrong when it runs. */
async function previewOf<Services>(
  run: TurnRun<Services>,
  id: string,
  prepared: Extract<PreparedCall<Services>, { refusal?: undefined }>,
): Promise<Preview | undefined> {
  try {
    return await prepared.tool.preview?.(contextMaker(run, id)(), prepared.args);
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}
