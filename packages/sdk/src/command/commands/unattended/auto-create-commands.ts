import type { Document } from '@docwright/contract';
import type { Command } from 'commander';
import type { Docwright } from '../../../create-docwright.ts';
import { action, onAskOf, type Host } from '../../context/action.ts';
import { signedIn, type CommandContext } from '../../context/context.ts';
import { resolveDocument, resolveTags } from '../../context/names.ts';
import { createProgressLine } from '../../terminal/progress-line.ts';
import { printableLine } from '../../terminal/terminal-text.ts';
import { waitForDocument } from '../wait-for-document.ts';

export function addAutoCreateCommands(program: Command, host: Host): void {
  const autoCreate = program
    .command('auto-create')
    .summary('proposals of a schema, prompt and extraction by the agent, unattended')
    .helpCommand(false);

  autoCreate
    .command('start')
    .argument('<document>', 'id or name')
    .summary('let the agent create a proposal')
    .option('--wait', 'wait until it is finished')
    .option('--park', 'calls that need approval wait in the inbox')
    .option('--no-park', 'calls that need approval are denied, whatever the organization’s setting')
    .action(
      action<[string], { wait?: true; park?: boolean }>(host, async (context, [wanted], { wait, park }) => {
        const { client, id } = await find(context, wanted);
        const started = await client.autoCreate.start(id, { ...onAskOf({ park }), signal: context.signal });
        const line = createProgressLine(context.stderr, context.output.isLive);
        const document =
          wait === true ? await waitForDocument(client, id, context.signal, line.show).finally(line.clear) : started;
        printProposal(context, document);
      }),
    );

  autoCreate
    .command('accept')
    .argument('<document>', 'id or name')
    .summary('accept a proposal')
    .option(
      '--tag <name>',
      'a tag for the document and the prompt; the prompt then applies to all documents with this tag',
    )
    .action(
      action<[string], { tag?: string }>(host, async (context, [wanted], { tag }) => {
        const { client, id } = await find(context, wanted);
        const [tagId] = tag === undefined ? [] : await resolveTags(client, [tag], context.signal);
        printProposal(context, await client.autoCreate.accept(id, tagId, { signal: context.signal }));
      }),
    );

  autoCreate
    .command('reject')
    .argument('<document>', 'id or name')
    .summary('reject a proposal, and delete what it created')
    .action(
      action<[string], object>(host, async (context, [wanted]) => {
        const { client, id } = await find(context, wanted);
        printProposal(context, await client.autoCreate.reject(id, { signal: context.signal }));
      }),
    );
}

async function find(context: CommandContext, wanted: string): Promise<{ client: Docwright; id: string }> {
  const client = await signedIn(context);
  return { client, id: (await resolveDocument(client, wanted, context.signal)).id };
}

function printProposal({ output }: CommandContext, document: Document): void {
  output.data(document);
  const isWaiting = document.auto_create?.waiting === true;
  output.print(`${document.id} ${isWaiting ? 'waiting' : (document.auto_create?.status ?? 'no proposal')}`);
  if (isWaiting) output.note('A call of the proposal waits for a decision: docwright inbox');
  output.note(output.style('dim', printableLine(document.document_name)));
}
