import { createSchemaChatProfile, type LlmMessage, type SchemaProject } from '@docwright/agent-core';
import { scriptedLlm } from '@docwright/agent-core/testing';
import { recordingStep, idsOf, turnsOf, type Answer } from './other-stories.ts';
import { nothingPlayed, playTurn, type Played, newTurn } from './play-turn.ts';
import type { RecordedCall, RecordedStep } from './recorded.ts';

const isRead = /^get_/;
/** The current product asks the designer again after its calls are decided, for a closing sentence; the recorded one did not. */
const closing: Answer = { text: 'The columns stand as you approved them; nothing is open.', calls: [] };

/** A story of the designer: columns that are added together become one call, and reads of the tail's content are removed. */
export async function playDesigner(steps: RecordedStep[]): Promise<Played> {
  const played: Played = { ...nothingPlayed(), more: { what: 'a closing answer', requests: [] } };
  const project: SchemaProject = {
    columns: [],
    tables: [],
    description: '',
    multiRow: false,
    featureFlags: {},
    analyses: [],
  };
  const profile = createSchemaChatProfile({ maxRounds: 20, timeoutMs: 60_000 });
  const thread: string[] = [];
  played.threads.push(thread);
  const ids = new Map<string, string>();
  let history: LlmMessage[] = [];
  for (const { message, answers } of turnsOf(steps)) {
    const needed = answers.map(({ text, calls }) => ({
      text,
      calls: together(calls.filter(({ name }) => !isRead.test(name))),
    }));
    const messages: LlmMessage[] = [...history, { role: 'user', content: message }];
    const script = needed.at(-1)?.calls.length === 0 ? needed : [...needed, closing];
    const llm = scriptedLlm(
      script.map((answer) =>
        recordingStep(played, thread, () => {
          if (answer === closing) played.more!.requests.push(thread.at(-1)!);
          return { text: answer.text, calls: idsOf(answer.calls, ids) };
        }),
      ),
    );
    const result = await playTurn(
      {
        profile,
        llm,
        services: { project, documents: {} as never, problemOfPattern: () => undefined },
        ...newTurn(messages, { autoApprove: false, maxMessages: 100 }),
      },
      played,
    );
    for (const { content } of steps.flatMap(({ request }) => request.messages)) {
      for (const [, id = '', name = ''] of (content ?? '').matchAll(/"id":"([\da-f]{24})","name":"([^"]+)"/g)) {
        const now = project.columns.find((column) => column.name === name)?.id;
        if (now !== undefined) ids.set(id, now);
      }
    }
    history = [...messages, ...result.messages];
  }
  return played;
}

function together(calls: readonly RecordedCall[]): RecordedCall[] {
  const added = calls.filter(({ name }) => name === 'add_column');
  if (added.length < 3) return [...calls];
  const rest = calls.filter(({ name }) => name !== 'add_column');
  return [...rest, { name: 'set_columns', arguments: { columns: added.map((call) => call.arguments) } }];
}
