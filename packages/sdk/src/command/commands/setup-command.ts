import type { AgentMessageAnswer, AppliedConversation } from '@docwright/contract';
import type { Command } from 'commander';
import { DocwrightError } from '../../client/docwright-error.ts';
import type { Docwright } from '../../create-docwright.ts';
import { action, type Host } from '../action.ts';
import { AskInterrupted } from '../asker.ts';
import { signedIn, type CommandContext } from '../context.ts';
import { exitCodeOf, exitCodes, UsageError, type ExitCode } from '../exit-codes.ts';
import { resolveSource } from '../names.ts';
import { confirmApply } from '../setup/confirm-apply.ts';
import { pipelineLine } from '../setup/pipeline-line.ts';
import { showAnswer, type SetupPlace } from '../setup/show-answer.ts';
import { printableLine } from '../terminal-text.ts';
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
    .option('-m, --message <text>', 'say this, and end with its answer')
    .option('--conversation <id>', 'go on with a conversation')
    .option('--model <model>', 'which model answers in a new conversation')
    .option('--apply <name>', 'make a collection of that name')
    .option('--force', 'apply in spite of what blocks')
    .option('--wait', 'wait until the collection is indexed')
    .option('--events', 'with --json: one line for each event, as it comes')
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
    throw new UsageError('Name a source, or go on with --conversation: one of the two.');
  }
  if (isOneShot && apply === undefined && (message ?? '').trim() === '') {
    throw new UsageError('Give a message with --message, or apply the pipeline with --apply.');
  }
  const client = await signedIn(context);
  const conversationId =
    options.conversation ?? (await startConversation(context, client, source ?? '', options.model));
  const place = { client, conversationId };
  return isOneShot ? await once(context, place, options) : await converse(context, place, options);
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

/** Without any question to the user. */
async function once(context: CommandContext, place: SetupPlace, options: SetupOptions): Promise<ExitCode> {
  const { output, signal } = context;
  const { client, conversationId } = place;
  const said = options.message === undefined ? undefined : await showAnswer(context, place, options.message, options);
  const waits = said?.proposedName !== undefined && options.apply === undefined;
  const result = (applied: AppliedConversation | null, collection: unknown = null) => {
    if (options.events !== true) {
      output.data({ conversation_id: conversationId, answer: said?.answer ?? null, applied, collection });
    }
  };
  if (options.apply === undefined) {
    result(null);
    output.note(howToContinue(conversationId, said?.answer, said?.proposedName));
    return waits ? exitCodes.waits : exitCodes.ok;
  }
  const body = { collection_name: options.apply, force: options.force === true };
  const applied = await client.agentConversations.apply(conversationId, body, { signal }).catch((error: unknown) => {
    if (said !== undefined) output.note(howToContinue(conversationId, said.answer, undefined));
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
  const before = await begin(context, place);
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

/** Prints the subject of the conversation and waits for a running answer. */
async function begin(context: CommandContext, { client, conversationId }: SetupPlace) {
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
  const how = asker.isTerminal ? ' Say what you want to find. An empty line does nothing, Ctrl-D ends.' : '';
  output.note(output.style('dim', `About ${printableLine(name)}, ${document_count} documents.${how}`));
  const { current_pipeline } = conversation;
  if (current_pipeline) output.note(output.style('cyan', `Pipeline: ${pipelineLine(current_pipeline)}`));
  return conversation;
}

function printApplied({ output }: CommandContext, { collection_id, collection_name }: AppliedConversation): void {
  output.note(
    `Made the collection ${printableLine(collection_name)}, which is being indexed. Search it with: docwright search ${collection_id} <query>`,
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
    return `The agent asks to apply the pipeline. Do so with: ${go} --apply ${quoted}`;
  }
  const built = answer?.current_pipeline == null ? '' : ', or apply what was built with --apply <name>';
  return `Go on with: ${go}${built}`;
}

async function askMessage({ asker, output }: CommandContext): Promise<string | undefined> {
  try {
    return (await asker.ask(output.style('cyan', 'you › ')))?.trim();
  } catch (error) {
    if (error instanceof AskInterrupted) return undefined;
    throw error;
  }
}
