import type { AskCoverage, AskScope, Claim } from '@docwright/contract';
import type { Command } from 'commander';
import { action, listOption, type Host } from '../context/action.ts';
import { signedIn, type CommandContext } from '../context/context.ts';
import { exitCodeOfTurn, exitCodes, type ExitCode } from '../context/exit-codes.ts';
import { resolveCollection, resolvePrompt, resolveTags } from '../context/names.ts';
import { thinkingLevel } from '../chat/thinking-level.ts';
import type { Output } from '../terminal/output.ts';
import { printable, printableLine } from '../terminal/terminal-text.ts';

interface AskOptions {
  tag?: string[];
  collection?: string;
  prompt?: string;
  from?: string;
  to?: string;
  model?: string;
  thinking?: string;
}

export function addAskCommand(program: Command, host: Host): void {
  program
    .command('ask')
    .argument('<question...>', 'the question')
    .summary('ask a question over many documents')
    .description(
      'Answers from results and passages of all documents, or of those that the options select. Each sentence is checked against what it cites: a filter and not a proof. Exits with 9 if a sentence is unsupported.',
    )
    .option('--tag <tags>', 'documents with one of the tags, by id or name', listOption)
    .option('--collection <collection>', 'documents of a collection, by id or name')
    .option('--prompt <prompt>', 'documents with a result of the prompt, by id or name')
    .option('--from <day>', 'documents uploaded on this day or later')
    .option('--to <day>', 'documents uploaded on this day or earlier')
    .option('--model <model>', 'the model that answers')
    .option('--thinking <level>', 'how much the model thinks: off, low, medium or high')
    .action(action<[string[]], AskOptions>(host, ask));
}

async function ask(
  context: CommandContext,
  [words]: [string[]],
  { tag, collection, prompt, from, to, model, thinking }: AskOptions,
): Promise<ExitCode> {
  const { output, signal } = context;
  const client = await signedIn(context);
  const scope: AskScope = {
    ...(tag && { tag_ids: await resolveTags(client, tag, signal) }),
    ...(collection !== undefined && { collection_id: await resolveCollection(client, collection, signal) }),
    ...(prompt !== undefined && { prompt_id: await resolvePrompt(client, prompt, signal) }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
  const messages = [{ role: 'user' as const, content: words.join(' ') }];
  const reasoning = thinkingLevel(thinking);
  const body = {
    messages,
    ...(Object.keys(scope).length > 0 && { scope }),
    ...(model !== undefined && { model }),
    ...(reasoning !== undefined && { reasoning }),
  };
  const answer = await client.ask.send(body, { signal });
  output.data(answer);
  const { claims = [], coverage } = answer;
  if (claims.length === 0) output.print(printable(answer.text));
  for (const claim of claims) output.print(lineOf(claim, output));
  if (coverage) output.note(coverageLine(coverage));
  const code = exitCodeOfTurn(answer);
  if (code !== exitCodes.ok && answer.error) output.note(printableLine(answer.error.message));
  if (code !== exitCodes.ok) return code;
  return claims.some(({ support }) => support === 'unsupported') ? exitCodes.unsupported : exitCodes.ok;
}

/** A sentence without its marks; what is unsupported is named so, with the reason. */
function lineOf({ text, support, why }: Claim, { style }: Output): string {
  const sentence = printableLine(text.replaceAll(/\s*\[\[[^[\]]*\]\]/gu, ''));
  if (support !== 'unsupported') return sentence;
  return `${style('red', 'not supported:')} ${style('dim', sentence)} ${style('red', printableLine(why ?? ''))}`;
}

function coverageLine({
  documents,
  with_result,
  with_value,
  without_value,
  unread,
  hidden,
  at_risk,
  trashed = 0,
  unindexed = 0,
  too_large = 0,
}: AskCoverage): string {
  const rest = [
    ...(unread > 0 ? [`${unread} are not read`] : []),
    ...(hidden > 0 ? [`${hidden} may not be shown to a model`] : []),
    ...(at_risk > 0 ? [`${at_risk} have a value at risk`] : []),
    ...(trashed > 0 ? [`${trashed} more are in the trash`] : []),
    ...(unindexed > 0 ? [`${unindexed} results are not indexed yet`] : []),
    ...(too_large > 0 ? [`the results of ${too_large} prompts are too large to be read`] : []),
  ];
  const more = rest.length === 0 ? '' : `; ${rest.join(', ')}`;
  const isOverResults = with_result > 0 || without_value.length > 0;
  if (!isOverResults) return `The question was about ${documents} documents${more}.`;
  return `${with_value} of ${documents} documents have the fields, ${with_result} have a result${more}.`;
}
