import {
  createPipelineAgentProfile,
  messagesForHistory,
  type LlmMessage,
  type LlmRequest,
} from '@docwright/agent-core';
import { scriptedLlm } from '@docwright/agent-core/testing';
import { recordingStep, type Answer } from './other-stories.ts';
import { nothingPlayed, playTurn, type Played, newTurn } from './play-turn.ts';
import type { RecordedCall, RecordedStep } from './recorded.ts';
import { parsed, recordOf, servicesOf, type Json, type SourceRecord } from './recorded-source.ts';

/**
 * Calls that are unnecessary today: templates name chunkers and embedders, and sub-agents start with the count, the sample with
 * its languages, and the dry run.
 */
const unneeded = /^(list_plugins|get_plugin_details|detect_language|enumerate_files|sample_files|run_dry_run)$/;

/** A story of the pipeline agent and its sub-agents, with the recorded source. */
export async function playPipeline(steps: RecordedStep[]): Promise<Played> {
  const played = nothingPlayed();
  const record = recordOf(steps);
  const threads = new Map<string, string[]>();
  const answers = steps.map(({ request, answer }) => {
    const calls = (answer.tool_calls ?? []).filter(({ name }) => name !== 'inspect_chunks' || wasCut(request));
    return calls.length === 0 && answer.tool_calls !== undefined && answer.tool_calls.length > 0
      ? undefined
      : neededOf(answer.text ?? '', calls, record);
  });
  const script = tried(answers.filter((answer): answer is Answer => answer !== undefined));
  const llm = scriptedLlm(
    script.map((answer) => (request: LlmRequest) => {
      const first = request.messages.slice(0, 2).map(({ content }) => content);
      const key = request.messages[0]?.content.includes('pipeline agent') === true ? 'main' : first.join('\n');
      const thread = threads.get(key) ?? [];
      if (!threads.has(key)) threads.set(key, thread);
      return recordingStep(played, thread, () => answer)(request);
    }),
  );
  const services = servicesOf(record, llm);
  let history: LlmMessage[] = [];
  for (const message of record.messages) {
    const messages: LlmMessage[] = [...history, { role: 'user', content: message }];
    const result = await playTurn(
      {
        profile: createPipelineAgentProfile({ maxRounds: 20, timeoutMs: 60_000 }),
        llm,
        services,
        // The user applies the pipeline by a request of their own, so the turn ends with the call.
        ...newTurn(messages, { autoApprove: true }),
      },
      played,
    );
    played.decisions++;
    history = [...messages, ...messagesForHistory(result.messages)];
  }
  played.threads.push(...threads.values());
  return played;
}

/** The necessary calls of an answer; undefined if it has none. A call of apply_pipeline ends the turn. */
function neededOf(text: string, calls: RecordedCall[], record: SourceRecord): Answer | undefined {
  const kept = calls.filter(
    ({ name, arguments: args }) =>
      !unneeded.test(name) &&
      !(name === 'try_parser' && record.isInSample(args)) &&
      name !== 'apply_pipeline' &&
      !(name === 'get_file_content_preview' && record.isShownWhole(String(args['document_id']))),
  );
  if (calls.length > 0 && kept.length === 0 && !calls.some(({ name }) => name === 'apply_pipeline')) return undefined;
  const renamed = kept.map(({ name, arguments: { most_characters, ...args } }) => ({
    name,
    arguments: {
      ...inShort(name, args, record),
      ...(most_characters !== undefined && { max_characters: most_characters }),
    },
  }));
  return { text, calls: renamed };
}

/** Moves the validation into the answer that built the pipeline: calls of one answer run in their order. */
function tried(answers: readonly Answer[]): Answer[] {
  return answers.reduce<Answer[]>((script, answer) => {
    const last = script.at(-1);
    const isTrial = answer.calls.length === 1 && answer.calls[0]?.name === 'spawn_pipeline_validator';
    if (!isTrial || last?.calls.at(-1)?.name !== 'build_pipeline') return [...script, answer];
    return [...script.slice(0, -1), { text: `${last.text}${answer.text}`, calls: [...last.calls, ...answer.calls] }];
  }, []);
}

/** The parts of a pipeline that differ from the template, or from the previously built one. */
function inShort(name: string, args: Json, record: SourceRecord): Json {
  if (name === 'try_alternative_config') return { ...args, pipeline: differing(args['pipeline'] as Json, record.last) };
  if (name !== 'build_pipeline') return args;
  const like = record.templates.find(
    ({ pipeline }) => JSON.stringify(pipeline.parsers) === JSON.stringify(args['parsers']),
  );
  const short =
    record.last === undefined && like !== undefined
      ? { template: like.id, ...differing(args, like.pipeline) }
      : differing(args, record.last);
  record.last = record.built[record.built.indexOf(record.last!) + 1];
  return short;
}

function differing(parts: Json, other: object = {}): Json {
  const before = other as Json;
  return Object.fromEntries(
    Object.entries(parts).filter(([name, part]) => JSON.stringify(part) !== JSON.stringify(before[name])),
  );
}

/** Whether a dry run in the request made several chunks of a document: a single chunk shows no cut. */
function wasCut({ messages }: RecordedStep['request']): boolean {
  const runs = messages.filter(({ role, content }) => role === 'tool' && content?.includes('"stage_timings"') === true);
  const documents = runs.flatMap(({ content }) => parsed(content)['documents'] as { chunks: number }[]);
  return documents.some(({ chunks }) => chunks > 1);
}
