import type { CallAnswers, TurnAnswer } from '@docwright/contract';
import type { Command } from 'commander';
import type { ApproveRequest, TurnState } from '../../areas/chat/chat-calls.ts';
import { DocwrightError } from '../../client/docwright-error.ts';
import { cardLines } from '../chat/call-card.ts';
import { planDecisions, planStepsOf } from '../chat/plan-draft.ts';
import { howToDecide, showTurn, type TurnPlace } from '../chat/run-turn.ts';
import { chatRequest, talk } from '../chat/talk.ts';
import { thinkingLevel } from '../chat/thinking-level.ts';
import { action, listOption, repeatedOption, type Host } from '../context/action.ts';
import { signedIn, type CommandContext } from '../context/context.ts';
import { exitCodeOfTurn, exitCodes, UsageError, type ExitCode } from '../context/exit-codes.ts';
import { documentOfTurn, resolveDocument } from '../context/names.ts';
import { printable, printableLine } from '../terminal/terminal-text.ts';

interface ChatOptions {
  message?: string;
  thread?: string;
  continue?: true;
  model?: string;
  thinking?: string;
  autoApprove?: string[];
  yes?: true;
  events?: true;
}

interface ApproveOptions {
  call?: string[];
  reject?: true;
  skip?: string[];
  edit?: string[];
  evaluation?: string;
  reason?: string;
  remember?: string;
  answers?: string;
  document?: string;
  events?: true;
}

const eventsHelp = 'with --json: print one line for each event as it arrives, instead of the answer';

export function addChatCommands(program: Command, host: Host): void {
  program
    .command('chat')
    .argument('<document>', 'id or name')
    .argument('[message]', 'the first message; the command then asks for more')
    .summary('talk to the agent of a document')
    .description(
      'Talks to the agent of a document. Calls that write wait for your decision: y runs a call, n rejects it, e changes its arguments, a allows the tool on this document from now on, m measures a changed prompt or schema, k skips a step of a plan. With --message it sends one message and exits, with 5 if the turn waits for a decision.',
    )
    .option('-m, --message <text>', 'send this message and exit when the turn ends')
    .option('--thread <id>', 'continue a conversation')
    .option('-c, --continue', 'continue the last conversation about this document')
    .option('--model <id>', 'the model that answers')
    .option('--thinking <level>', 'how much the model thinks: off, low, medium or high')
    .option('--auto-approve <tools>', 'tools that are allowed to write without approval, comma-separated', listOption)
    .option('--yes', 'allow every tool to write without approval; deny rules have priority')
    .option('--events', eventsHelp)
    .action(action<[string, string | undefined], ChatOptions>(host, chat));

  program
    .command('approve')
    .argument('<turn>', 'id of a pending turn')
    .summary('decide on the pending calls of a turn')
    .description(
      'Approves all pending calls. With --call it approves these calls and rejects the others. --skip and --edit change single steps of a plan. Then shows the rest of the turn.',
    )
    .option('--call <id>', 'approve only this call; may be repeated', listOption)
    .option('--reject', 'reject all pending calls')
    .option('--skip <step>', 'skip this step of a plan, by number or id; may be repeated', listOption)
    .option(
      '--edit <step=json>',
      'change arguments of a step of a plan: 2={"name":"Cargo"}; may be repeated',
      repeatedOption,
    )
    .option('--evaluation <id>', 'approve only if this evaluation still applies to the pending call')
    .option('--reason <text>', 'the reason of a rejection; the agent reads it')
    .option('--remember <scope>', 'also allow these tools from now on in: thread, document or organization')
    .option(
      '--answers <json>',
      'answers to the agent’s questions: [{"call_id","answers":[{"question_id","option_ids","other"}]}]',
    )
    .option('--document <document>', 'the document, by id or name')
    .option('--events', eventsHelp)
    .action(action<[string], ApproveOptions>(host, approve));

  program
    .command('turn')
    .argument('<turn>', 'id of a turn')
    .summary('show a turn, and follow it while it runs')
    .option('--document <document>', 'the document, by id or name')
    .option('--events', eventsHelp)
    .action(action<[string], { document?: string; events?: true }>(host, showTurnAgain));

  program
    .command('stop')
    .argument('<turn>', 'id of a turn')
    .summary('stop a turn')
    .option('--document <document>', 'the document, by id or name')
    .action(action<[string], { document?: string }>(host, stop));

  program
    .command('undo')
    .argument('<turn>', 'id of a finished turn')
    .summary('undo all changes of a turn, or none')
    .option('--document <document>', 'the document, by id or name')
    .action(action<[string], { document?: string }>(host, undo));
}

async function chat(
  context: CommandContext,
  [wanted, opening]: [string, string | undefined],
  options: ChatOptions,
): Promise<ExitCode> {
  const { output, signal } = context;
  if (options.message !== undefined && opening !== undefined) {
    throw new UsageError('Give the message once: after the document, or with --message.');
  }
  const message = options.message ?? opening;
  const isOneShot = options.message !== undefined || output.json;
  if (isOneShot && (message ?? '').trim() === '') throw new UsageError('Give a message with --message.');
  const client = await signedIn(context);
  const { id: documentId, document_name } = await resolveDocument(client, wanted, signal);
  const threadId = options.continue === true ? await lastThread(context, client, documentId) : options.thread;
  const talkOptions = {
    message,
    threadId,
    model: options.model,
    reasoning: thinkingLevel(options.thinking),
    autoApprovedTools: options.autoApprove,
    autoApprove: options.yes,
  };
  const place = { client, documentId };
  if (!isOneShot) {
    const how = context.asker.isTerminal ? ' Press Ctrl-D to exit.' : '';
    output.note(output.style('dim', `Talking about ${printableLine(document_name)}.${how}`));
    return await talk(context, place, talkOptions);
  }
  const body = chatRequest(message ?? '', talkOptions);
  const answer = await showTurn(
    context,
    place,
    (leave) => client.chat.stream(documentId, body, { signal: leave }),
    options,
  );
  return finish(context, place, answer, options);
}

async function approve(context: CommandContext, [turnId]: [string], options: ApproveOptions): Promise<ExitCode> {
  const { signal } = context;
  const remember = rememberScope(options);
  const answers = options.answers === undefined ? undefined : readAnswers(options.answers);
  const { place, client, documentId } = await turnPlace(context, turnId, options.document);
  const turn = await client.chat.turn(documentId, turnId, { signal });
  const waiting = requireWaiting(turn, answers).filter(({ needs_approval }) => needs_approval);
  const unknown = options.call?.filter((wanted) => !waiting.some(({ id }) => id === wanted)) ?? [];
  if (unknown.length > 0) {
    const pending = waiting.map(({ id, name }) => `\n  ${id}  ${printableLine(name)}`).join('');
    throw new UsageError(
      `No call ${printableLine(unknown.join(', '))} is pending in this turn. Pending calls:${pending}`,
    );
  }
  const steps = planDecisions(waiting, options, options.reject !== true);
  const ifApproved = {
    ...(remember !== undefined && { remember }),
    ...(options.evaluation !== undefined && { evaluation_id: options.evaluation }),
  };
  const approvals: ApproveRequest['approvals'] = waiting.map((call) => {
    const { id: call_id } = call;
    const approved = options.reject !== true && (options.call?.includes(call_id) ?? true);
    const reason = !approved && options.reason !== undefined ? { reason: options.reason } : {};
    return {
      call_id,
      approved,
      ...reason,
      ...(approved && { ...ifApproved, ...(planStepsOf(call) && steps && { steps }) }),
    };
  });
  const body = { turn_id: turnId, approvals, ...(answers && { answers }) };
  const answer = await showTurn(
    context,
    place,
    (leave) => client.chat.streamApproval(documentId, body, { signal: leave }),
    options,
  );
  return finish(context, place, answer, options);
}

async function showTurnAgain(
  context: CommandContext,
  [turnId]: [string],
  options: { document?: string; events?: true },
): Promise<ExitCode> {
  const { place, client, documentId } = await turnPlace(context, turnId, options.document);
  const state = await client.chat.turn(documentId, turnId, { signal: context.signal });
  if (state.status !== 'running' && options.events !== true) {
    for (const { text } of state.executed_rounds) if (text !== '') context.output.print(printable(text));
    if (state.text !== '') context.output.print(printable(state.text));
    return finish(context, place, { ...state, status: state.status }, {});
  }
  const answer = await showTurn(
    context,
    place,
    (leave) => client.chat.events(documentId, turnId, 0, { signal: leave }),
    options,
  );
  return finish(context, place, answer, options);
}

async function stop(context: CommandContext, [turnId]: [string], options: { document?: string }): Promise<void> {
  const { client, documentId } = await turnPlace(context, turnId, options.document);
  const state = await client.chat.stop(documentId, turnId, { signal: context.signal });
  context.output.data(state);
  context.output.note(
    state.status === 'running' ? 'The turn stops at its next safe point.' : `The turn is ${state.status}.`,
  );
}

async function undo(context: CommandContext, [turnId]: [string], options: { document?: string }): Promise<void> {
  const { output, signal } = context;
  const { client, documentId } = await turnPlace(context, turnId, options.document);
  const answer = await client.chat.undo(documentId, turnId, { signal });
  output.data(answer);
  for (const { tool, call_id } of answer.undone) output.print(`undone  ${printableLine(tool)}  ${call_id}`);
  if (answer.undone.length === 0) output.note('The turn changed nothing.');
}

async function turnPlace(context: CommandContext, turnId: string, document: string | undefined) {
  const client = await signedIn(context);
  const documentId = await documentOfTurn(client, turnId, document, context.signal);
  return { client, documentId, place: { client, documentId } satisfies TurnPlace };
}

async function lastThread(
  { signal }: CommandContext,
  client: TurnPlace['client'],
  documentId: string,
): Promise<string | undefined> {
  return (await client.chat.threads.list(documentId, { limit: 1 }, { signal })).threads[0]?.id;
}

function finish(
  context: CommandContext,
  place: TurnPlace,
  answer: TurnAnswer,
  { events }: { events?: true },
): ExitCode {
  const { output } = context;
  if (events !== true) output.data(answer);
  const code = exitCodeOfTurn(answer);
  if (code !== exitCodes.waits) return code;
  for (const [at, call] of answer.tool_calls.entries()) {
    for (const line of cardLines(call, output, { place: `${at + 1} of ${answer.tool_calls.length}, ${call.id}` }))
      output.note(line);
  }
  output.note(howToDecide(place, answer).join('\n'));
  return code;
}

function requireWaiting({ status, tool_calls }: TurnState, answers: CallAnswers[] | undefined) {
  if (status === 'awaiting_approval' || (status === 'awaiting_answers' && answers !== undefined)) return tool_calls;
  const message =
    status === 'awaiting_answers'
      ? 'The turn waits for answers. Give them with --answers or in the chat.'
      : `No call is pending: the turn is ${status}.`;
  throw new DocwrightError({ code: 'not_waiting', message, status: 409 });
}

function rememberScope({ remember, reject, call, reason }: ApproveOptions) {
  if (reject === true && call !== undefined) {
    throw new UsageError(
      '--reject rejects all pending calls. To reject only some, name the others with --call, without --reject.',
    );
  }
  if (reason !== undefined && reject !== true && call === undefined)
    throw new UsageError('--reason needs --reject or --call.');
  if (remember === undefined) return undefined;
  const scopes = ['thread', 'document', 'organization'] as const;
  const scope = scopes.find((name) => name === remember);
  if (scope === undefined) throw new UsageError(`--remember takes one of ${scopes.join(', ')}.`);
  return scope;
}

function readAnswers(text: string): CallAnswers[] {
  try {
    const answers: unknown = JSON.parse(text);
    if (Array.isArray(answers)) return answers as CallAnswers[];
  } catch {
    // Reported below.
  }
  throw new UsageError(
    '--answers takes a JSON list: [{"call_id":"…","answers":[{"question_id":"…","option_ids":["…"]}]}]',
  );
}
