import { parseJsonWithDigits, reviewReason, type ReviewDecision, type ReviewReason } from '@docwright/contract';
import type { Command } from 'commander';
import { action, countOption, type Host } from '../context/action.ts';
import { signedIn, type CommandContext } from '../context/context.ts';
import { UsageError, type ExitCode } from '../context/exit-codes.ts';
import { resolvePrompt } from '../context/names.ts';
import { printable, printableLine } from '../terminal/terminal-text.ts';

interface ListOptions {
  prompt?: string;
  tag?: string;
  reason?: string;
  minRisk?: string;
  limit?: number;
}

export function addReviewCommands(program: Command, host: Host): void {
  const review = program
    .command('review')
    .summary('values to review, the riskiest first')
    .description('Lists the values that may be wrong, the riskiest first. Does not lease their documents.')
    .option('--prompt <prompt>', 'only values of this prompt, by id or name')
    .option('--tag <tag_id>', 'only documents with this tag')
    .option('--reason <reason>', `only values with this reason: ${reviewReason.options.join(', ')}`)
    .option('--min-risk <share>', 'only values that are wrong with at least this probability, 0 to 1')
    .option('--limit <n>', 'maximum number of values (50)', countOption)
    .action(action<[], ListOptions>(host, list));
  for (const [name, summary] of [
    ['confirm', 'confirm that values are correct'],
    ['clear', 'remove values that are not in the document'],
  ] as const) {
    review
      .command(name)
      .argument('<document>', 'document id')
      .argument('<prompt>', 'prompt revision from the list')
      .argument('<paths...>', 'paths of the values')
      .summary(summary)
      .action(
        action<[string, string, string[]], object>(host, (context, [document, prompt, paths]) =>
          decide(
            context,
            document,
            prompt,
            paths.map((path) => ({ path, action: name })),
          ),
        ),
      );
  }
  review
    .command('correct')
    .argument('<document>', 'document id')
    .argument('<prompt>', 'prompt revision from the list')
    .argument('<path>', 'path of the value')
    .argument('<value>', 'the correct value: JSON, otherwise a text')
    .summary('correct a value')
    .action(
      action<[string, string, string, string], object>(host, (context, [document, prompt, path, text]) =>
        decide(context, document, prompt, [{ path, action: 'correct', value: valueOf(text) }]),
      ),
    );
}

async function list(context: CommandContext, _args: [], options: ListOptions): Promise<void> {
  const { output, signal } = context;
  const { prompt, tag, reason, minRisk, limit = 50 } = options;
  const isReason = (text: string): text is ReviewReason => (reviewReason.options as string[]).includes(text);
  if (reason !== undefined && !isReason(reason))
    throw new UsageError(`There is no reason "${reason}". The reasons are listed by --help.`);
  const min_risk = minRisk === undefined ? undefined : Number(minRisk);
  if (min_risk !== undefined && !(min_risk >= 0 && min_risk <= 1)) {
    throw new UsageError('--min-risk takes a share from 0 to 1, for example 0.2.');
  }
  const client = await signedIn(context);
  const found = await client.review.list(
    {
      limit: Math.min(limit, 100),
      lease: false,
      ...(prompt !== undefined && { prompt_id: await resolvePrompt(client, prompt, signal) }),
      ...(tag !== undefined && { tag_id: tag }),
      ...(reason !== undefined && { reason }),
      ...(min_risk !== undefined && { min_risk }),
    },
    { signal },
  );
  output.data(found);
  output.table(
    ['risk', 'document', 'path', 'value', 'reasons', 'document id', 'prompt'],
    found.items.map((item) => [
      item.risk < 0.01 ? 'under 1 %' : `${Math.round(item.risk * 100)} %`,
      printableLine(item.document_name),
      printableLine(item.path),
      printableLine(item.value === null ? 'none' : textOf(item.value)),
      item.reasons.join(', '),
      item.document_id,
      item.prompt_revid,
    ]),
  );
  output.note(
    found.values === 0
      ? 'No values to review.'
      : `${counted(found.values, 'value')} of ${counted(found.documents, 'document')}.`,
  );
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;

type Wanted = Pick<ReviewDecision, 'path' | 'action' | 'value'>;

async function decide(
  context: CommandContext,
  document_id: string,
  prompt_revid: string,
  wanted: readonly Wanted[],
): Promise<ExitCode | undefined> {
  const { output, signal } = context;
  const client = await signedIn(context);
  const { version } = await client.extractions.get(document_id, prompt_revid, { signal });
  const decisions = wanted.map((each): ReviewDecision => ({ document_id, prompt_revid, version, ...each }));
  const answer = await client.review.decide(decisions, { signal });
  output.data(answer);
  for (const { path, status, message } of answer.outcomes) {
    output.note(`${printableLine(path)}: ${status}${message === undefined ? '' : `, ${printable(message)}`}`);
  }
  return answer.outcomes.every(({ status }) => status === 'decided') ? undefined : 1;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Parses JSON such as `12.5`, `true` and `null`; other input is a text, and so are numbers that JavaScript would round. */
function valueOf(text: string): ReviewDecision['value'] {
  try {
    return parseJsonWithDigits(text);
  } catch {
    return text;
  }
}
