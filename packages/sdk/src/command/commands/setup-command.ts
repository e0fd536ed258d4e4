import type { AgentMessageAnswer, AppliedConversation } from '@docwright/contract';
import type { Command } from 'commander';
import { DocwrightError } from '../../client/docwright-error.ts';
import type { Docwright } from '../../create-docwright.ts';
import { askMessage } from '../chat/talk.ts';
import { action, type Host } from '../context/action.ts';
import { signedIn, type CommandContext } from '../context/context.ts';
import { exitCodeOf, exitCodes, UsageError, type ExitCode } from '../context/exit-codes.ts';
import { resolveSource } from '../context/names.ts';
import { confirmApply } from '../setup/confirm-apply.ts';
import { pipelineLine } from '../setup/pipeline-line.ts';
import { showAnswer, type SetupPlace } from '../setup/show-answer.ts';
import { printableLine } from '../terminal/terminal-text.ts';
import { summaryOf, waitUntilIndexed, watchIndexing } from './collection-commands.ts';

interface SetupOptions {
  message?: string;
  conversation?: string;
  model?: string;
  apply?: string;
  force?: true;
  wait?: true;
  events?: true;
}

export function addSetupCommand(program: Command, host: Host): void {
  program
    .command('setup')
    .argument('[source]', 'id or name')
    .summary('build a pipeline in a chat, and a collection with it')
    .description(
      'Chats with the agent that examines a source, proposes a pipeline and tests it. It never applies a pipeline without asking you. With -m one message is sent; with --apply the pipeline is applied without a question.',
    )
    .option('-m, --message <text>', 'send this message and exit after the answer')
    .option('--conversation <id>', 'continue a conversation')
    .option('--model <model>', 'the model of a new conversation')
    .option('--apply <name>', 'apply the pipeline as a collection with this name')
    .option('--force', 'apply despite blocking uncertainties')
    .option('--wait', 'wait until the collection is indexed')
    .option('--events', 'with --json: print one line for each event as it arrives')
    .action(action<[string | undefined], SetupOptions>(host, setup));
}

async function setup(
  context: CommandContext,
  [source]: [string | undefined],
  options: SetupOptions,
): Promise<ExitCode> {
  const { output } = context;
  const { message, apply } = options;
  const isOneShot = message !== undefined || apply !== undefined || output.json;
  if ((source === undefined) === (options.conversation === undefined)) {
    throw new UsageError('Name either a source, or a conversation with --conversation.');
  }
  if (isOneShot && apply === undefined && (message ?? '').trim() === '') {
    throw new UsageError('Give a message with --message, or apply the pipeline with --apply.');
  }
  const client = await signedIn(context);
  const conversationId =
    options.conversation ?? (await startConversation(context, client, source ?? '', options.model));
  const place = { client, conversationId };
  return isOneShot ? await runOnce(context, place, options) : await converse(context, place, options);
}

async function startConversation(
  { signal }: CommandContext,
  client: Docwright,
  source: string,
  model: string | undefined,
): Promise<string> {
  const source_id = await resolveSource(client, source, signal);
  const body = { source_id, ...(model !== undefined && { model }) };
  return (await client.agentConversations.create(body, { signal })).id;
}

/** Sends the message and applies the pipeline, as the options say, without a question to the user. */
async function runOnce(context: CommandContext, place: SetupPlace, options: SetupOptions): Promise<ExitCode> {
  const { output, signal } = context;
  const { client, conversationId } = place;
  const shown = options.message === undefined ? undefined : await showAnswer(context, place, options.message, options);
  const waits = shown?.proposedName !== undefined && options.apply === undefined;
  const result = (applied: AppliedConversation | null, collection: unknown = null) => {
    if (options.events !== true) {
      output.data({ conversation_id: conversationId, answer: shown?.answer ?? null, applied, collection });
    }
  };
  if (options.apply === undefined) {
    result(null);
    output.note(howToContinue(conversationId, shown?.answer, shown?.proposedName));
    return waits ? exitCodes.waits : exitCodes.ok;
  }
  const body = { collection_name: options.apply, force: options.force === true };
  const applied = await client.agentConversations.apply(conversationId, body, { signal }).catch((error: unknown) => {
    if (shown !== undefined) output.note(howToContinue(conversationId, shown.answer, undefined));
    throw error;
  });
  printApplied(context, applied);
  const collection = options.wait === true ? await watchIndexing(context, client, applied.collection_id) : undefined;
  result(applied, collection);
  if (collection !== undefined) output.print(summaryOf(collection));
  return exitCodes.ok;
}

/** Asks for messages and decides the agent's proposals, until the pipeline is applied or the input ends. */
async function converse(context: CommandContext, place: SetupPlace, options: SetupOptions): Promise<ExitCode> {
  const { output } = context;
  const { conversationId } = place;
  const before = await openConversation(context, place);
  let outcome: ExitCode = exitCodes.ok;
  let answer: Pick<AgentMessageAnswer, 'current_pipeline'> = before;
  for (;;) {
    const message = await askMessage(context);
    if (message === undefined) {
      output.note(howToContinue(conversationId, answer, undefined));
      return outcome;
    }
    if (message === '') continue;
    try {
      const shown = await showAnswer(context, place, message);
      ({ answer } = shown);
      outcome = exitCodes.ok;
      if (shown.proposedName === undefined) continue;
      const applied = await confirmApply(context, place, shown.proposedName);
      if (applied === 'left') {
        output.note(howToContinue(conversationId, answer, shown.proposedName));
        return exitCodes.waits;
      }
      if (applied === undefined) continue;
      printApplied(context, applied);
      if (options.wait === true || context.asker.isTerminal) {
        await waitUntilIndexed(context, place.client, applied.collection_id);
      }
      return exitCodes.ok;
    } catch (error) {
      // An error of one message does not end the conversation: the next message may succeed.
      if (!(error instanceof DocwrightError) || !context.asker.isTerminal || error.status === 401) throw error;
      output.note(output.style('red', printableLine(error.message)));
      outcome = exitCodeOf(error);
    }
  }
}

/** Waits for a running answer, and prints the source and the pipeline of the conversation. */
async function openConversation(context: CommandContext, { client, conversationId }: SetupPlace) {
  const { output, signal, asker } = context;
  const { agentConversations, sources } = client;
  let conversation = await agentConversations.get(conversationId, { signal });
  if (conversation.is_running) {
    output.note('Waiting for the running answer.');
    conversation = await agentConversations.waitForAnswer(conversationId, { signal });
  }
  if (conversation.status !== 'active') {
    throw new UsageError(
      `The conversation is ${conversation.status}. Start another one with: docwright setup <source>`,
    );
  }
  const { name, document_count } = await sources.get(conversation.source_id, { signal });
  const how = asker.isTerminal ? ' Describe what you want to find. Press Ctrl-D to exit.' : '';
  output.note(output.style('dim', `About ${printableLine(name)}, ${document_count} documents.${how}`));
  const { current_pipeline } = conversation;
  if (current_pipeline) output.note(output.style('cyan', `Pipeline: ${pipelineLine(current_pipeline)}`));
  return conversation;
}

function printApplied({ output }: CommandContext, { collection_id, collection_name }: AppliedConversation): void {
  output.note(
    `Created the collection ${printableLine(collection_name)}, which is being indexed. Search it with: docwright search ${collection_id} <query>`,
  );
  output.print(collection_id);
}

function howToContinue(
  conversationId: string,
  answer: Pick<AgentMessageAnswer, 'current_pipeline'> | undefined,
  proposedName: string | undefined,
): string {
  const go = `docwright setup --conversation ${conversationId}`;
  if (proposedName !== undefined) {
    const quoted = `'${printableLine(proposedName).replaceAll("'", "'\\''")}'`;
    return `The agent asks to apply the pipeline. Apply it with: ${go} --apply ${quoted}`;
  }
  const built = answer?.current_pipeline == null ? '' : ', or apply the pipeline with --apply <name>';
  return `Continue with: ${go}${built}`;
}
