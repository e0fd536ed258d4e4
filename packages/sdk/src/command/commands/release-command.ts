import type { ReleaseStatus } from '@docwright/contract';
import type { Command } from 'commander';
import { action, type Host } from '../context/action.ts';
import { signedIn, type CommandContext } from '../context/context.ts';
import { resolvePrompt } from '../context/names.ts';
import { printableLine } from '../terminal/terminal-text.ts';

interface ReleaseOptions {
  override?: string;
}

export function addReleaseCommands(program: Command, host: Host): void {
  const release = program.command('release').summary('release results, and see what a policy releases');
  release
    .command('result')
    .argument('<document>', 'document id')
    .argument('<prompt>', 'prompt revision')
    .option('--override <reason>', 'release a blocked result, as an admin')
    .summary('release the current version of a result')
    .action(action<[string, string], ReleaseOptions>(host, releaseResult));
  release
    .command('status')
    .argument('<prompt>', 'the prompt, by id or name')
    .summary('what the release policy of a prompt releases, and its bound')
    .action(action<[string], object>(host, showStatus));
}

async function releaseResult(
  context: CommandContext,
  [document, prompt]: [string, string],
  { override }: ReleaseOptions,
): Promise<void> {
  const { output, signal } = context;
  const client = await signedIn(context);
  const { version } = await client.extractions.get(document, prompt, { signal });
  const body = { version, ...(override !== undefined && { override }) };
  const { release } = await client.release.release(document, prompt, body, { signal });
  output.data(release);
  output.note(`Version ${version} is ${release.state}.`);
}

async function showStatus(context: CommandContext, [prompt]: [string]): Promise<void> {
  const { output, signal } = context;
  const client = await signedIn(context);
  const status = await client.release.status(await resolvePrompt(client, prompt, signal), { signal });
  output.data(status);
  output.note(printableLine(sentenceOf(status)));
}

function sentenceOf({
  state,
  released_share,
  bound,
  confidence,
  audited,
  needed,
  paused_because,
}: ReleaseStatus): string {
  const evidence = `from ${audited.documents} audited, ${audited.wrong} wrong`;
  if (state === 'active') {
    return `${percent(released_share)} of documents are released without a look; at most ${percent(bound)} of them hold a wrong value, at ${percent(confidence)} confidence, ${evidence}.`;
  }
  const why = paused_because === undefined ? 'Collecting' : `Paused (${paused_because})`;
  return `${why}: ${needed.documents} more documents without an error are needed, ${evidence}.`;
}

const percent = (share: number) => `${Number((share * 100).toPrecision(3))} %`;
