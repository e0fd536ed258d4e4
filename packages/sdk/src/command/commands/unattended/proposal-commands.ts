import type { AcceptKindBody, KindDecision, Proposal } from '@docwright/contract';
import type { Command } from 'commander';
import { DocwrightError } from '../../../client/docwright-error.ts';
import type { Docwright } from '../../../create-docwright.ts';
import { action, repeatedOption, type Host } from '../../context/action.ts';
import { signedIn, type CommandContext } from '../../context/context.ts';
import { UsageError } from '../../context/exit-codes.ts';
import { pickByName, resolveDocument, resolveTags } from '../../context/names.ts';
import { printableLine } from '../../terminal/terminal-text.ts';

interface AcceptOptions {
  tag?: string;
  newTag?: string;
  document?: string[];
}

export function addProposalCommands(program: Command, host: Host): void {
  const proposals = program
    .command('proposals')
    .summary('kinds of documents with pending proposals')
    .description('Lists the kinds of documents with pending proposals, those with most documents first.')
    .action(action<[], object>(host, list));

  proposals
    .command('show')
    .argument('<proposal>', 'id or name')
    .summary('documents and fields of a kind, with their values')
    .action(action<[string], object>(host, show));

  proposals
    .command('accept')
    .argument('<proposal>', 'id or name')
    .summary('accept the schema and prompt, for all documents of the kind or for some')
    .option('--tag <name>', 'a tag to set on the documents and the prompt')
    .option('--new-tag <name>', 'a new tag to set on the documents and the prompt')
    .option('--document <document>', 'only this document, by id or name; may be repeated', repeatedOption)
    .action(action<[string], AcceptOptions>(host, accept));

  proposals
    .command('reject')
    .argument('<proposal>', 'id or name')
    .summary('reject the proposals of a kind, for all documents or for some')
    .option('--document <document>', 'only this document, by id or name; may be repeated', repeatedOption)
    .action(
      action<[string], Pick<AcceptOptions, 'document'>>(host, async (context, [wanted], { document }) => {
        const client = await signedIn(context);
        const { signal } = context;
        const { id } = await findProposal(client, wanted, signal);
        printDecision(
          context,
          await client.proposals.reject(id, await documentIds(client, document, signal), { signal }),
        );
      }),
    );

  proposals
    .command('undo')
    .argument('<entry>', 'the entry of the audit log, as accept and reject print it')
    .summary('undo a decision: its documents are pending again')
    .action(
      action<[string], object>(host, async (context, [entry]) => {
        const client = await signedIn(context);
        const answer = await client.audit.undo(entry, { signal: context.signal });
        context.output.data(answer);
        context.output.print(`${entry} undone`);
      }),
    );
}

async function list(context: CommandContext): Promise<void> {
  const { output, signal } = context;
  const client = await signedIn(context);
  const found: Proposal[] = [];
  for await (const each of client.proposals.listAll({}, { signal })) found.push(each);
  output.data({ proposals: found, total_count: found.length });
  output.table(
    ['proposal', 'name', 'documents', 'fields', 'prompt'],
    found.map(({ id, name, document_count, fields, accepted }) => [
      id,
      printableLine(name),
      String(document_count),
      String(fields.length),
      accepted ? 'accepted' : 'new',
    ]),
  );
  if (found.length === 0) output.note('No proposals are pending.');
}

async function show(context: CommandContext, [wanted]: [string]): Promise<void> {
  const { output, signal } = context;
  const client = await signedIn(context);
  const { id } = await findProposal(client, wanted, signal);
  const proposal = await client.proposals.get(id, { signal });
  output.data(proposal);
  const { documents, fields } = proposal;
  output.table(
    ['document', 'name', 'found', 'risk', ...fields.map(({ title }) => printableLine(title))],
    documents.map(({ document_id, document_name, found, of, risk, values = {}, incomplete_results }) => [
      document_id,
      printableLine(document_name),
      `${found} of ${of}${incomplete_results ? ', incomplete' : ''}`,
      risk === undefined ? '' : risk.toFixed(2),
      ...fields.map(({ path }) => printableLine(String(values[path] ?? ''))),
    ]),
  );
}

async function accept(context: CommandContext, [wanted]: [string], options: AcceptOptions): Promise<void> {
  const { tag, newTag, document } = options;
  if (tag !== undefined && newTag !== undefined) throw new UsageError('Give --tag or --new-tag, not both.');
  const client = await signedIn(context);
  const { signal } = context;
  const { id } = await findProposal(client, wanted, signal);
  const [tag_id] = tag === undefined ? [] : await resolveTags(client, [tag], signal);
  const body: AcceptKindBody = {
    ...(await documentIds(client, document, signal)),
    ...(tag_id !== undefined && { tag_id }),
    ...(newTag !== undefined && { new_tag: { name: newTag } }),
  };
  printDecision(context, await client.proposals.accept(id, body, { signal }));
}

async function documentIds(client: Docwright, wanted: readonly string[] | undefined, signal: AbortSignal | undefined) {
  if (wanted === undefined) return {};
  const document_ids: string[] = [];
  for (const each of wanted) document_ids.push((await resolveDocument(client, each, signal)).id);
  return { document_ids };
}

async function findProposal(
  client: Docwright,
  wanted: string,
  signal: AbortSignal | undefined,
): Promise<{ id: string }> {
  if (/^[\da-f]{24}$/iu.test(wanted)) return { id: wanted };
  const alike: { id: string; name: string; more: string }[] = [];
  for await (const { id, name, document_count } of client.proposals.listAll({}, { signal })) {
    if (!name.toLowerCase().includes(wanted.toLowerCase())) continue;
    alike.push({ id, name, more: `${document_count} documents` });
  }
  const picked = pickByName('proposal', wanted, alike);
  if (picked !== undefined) return picked;
  const message = `There is no proposal called "${printableLine(wanted)}". List them with: docwright proposals`;
  throw new DocwrightError({ code: 'not_found', message, status: 404 });
}

function printDecision({ output }: CommandContext, decision: KindDecision): void {
  output.data(decision);
  const { id, status, document_ids, left, entry_id } = decision;
  output.print(`${id} ${status} ${document_ids.length}`);
  if (left > 0) output.note(`${left} ${left === 1 ? 'document is' : 'documents are'} still pending.`);
  if (entry_id !== undefined) output.note(`Undo it with: docwright proposals undo ${entry_id}`);
}
