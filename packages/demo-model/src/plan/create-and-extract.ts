import { hasText } from '../page/document-text.ts';
import { readWholeDocument } from './whole-document.ts';
import { stopped } from './stopped.ts';
import { type Proposal, proposeSchema } from '../propose/propose-schema.ts';
import type { Conversation, Outcome } from './conversation.ts';
import { idOf } from './outcome-id.ts';
import { type Plan, use } from './plan.ts';
import { runExtraction } from './run-extraction.ts';
import { applyWishes, type SchemaDraft, wishesIn } from './schema-wishes.ts';

const schemaTries = 4;

/** From a document to values: look up the rules, propose a schema, check it, create it with a prompt, extract, sum up. */
export function* createAndExtract(conversation: Conversation, wantsExtraction: boolean, start?: SchemaDraft): Plan {
  const document = yield* readWholeDocument(conversation);
  if (!document || !hasText(document)) return noTextAnswer;
  const help = yield* use('help_schemas', {}, 'I look up the rules for schemas first.');
  if (help.kind !== 'done') return stopped('look up the rules for schemas', help);

  const proposal = proposeSchema(document);
  let draft = applyWishes(start ?? firstDraft(proposal, document.name), wishesIn(conversation.request));
  if (Object.keys(draft.schema.properties).length === 0) return nothingFoundAnswer;

  let created: Outcome = { kind: 'failed', error: 'not tried' };
  for (let attempt = 0; attempt < schemaTries; attempt += 1) {
    const format = responseFormat(draft);
    const checked = yield* use(
      'validate_schema',
      { schema: JSON.stringify(format) },
      introduce(proposal, draft, attempt),
    );
    if (checked.kind !== 'done') return stopped('check the schema', checked);
    if (checked.value.valid === false)
      return `The schema I made is not valid: ${JSON.stringify(checked.value.errors)}. I stop here; nothing was created.`;
    created = yield* use('create_schema', { name: draft.name, response_format: format });
    if (created.kind === 'done') break;
    const changed = afterRefusal(draft, created);
    if (typeof changed === 'string') return changed;
    draft = changed;
  }
  if (created.kind !== 'done') return stopped('create the schema', created);
  const schemaId = idOf(created, 'schema_id');
  if (!wantsExtraction)
    return `The schema **${draft.name}** is there, with ${fieldList(draft)}. Say “extract it” to make a prompt for it and run the extraction.`;

  const prompt = yield* use('create_prompt', {
    name: draft.name,
    content: promptContent(proposal),
    schema_id: schemaId,
  });
  if (prompt.kind === 'rejected')
    return `The schema **${draft.name}** is there; the prompt for it is not, as you rejected it. What should be different about it?`;
  if (prompt.kind !== 'done') return stopped('create the prompt', prompt);
  const made = `I made the schema **${draft.name}** with ${fieldList(draft)}, and a prompt of the same name.`;
  return yield* runExtraction(idOf(prompt, 'prompt_revid'), made);
}

function firstDraft(proposal: Proposal, documentName: string): SchemaDraft {
  const kind = proposal.kind === 'report' ? 'Document' : proposal.kind;
  const title = kind[0]?.toUpperCase() + kind.slice(1);
  const stem = documentName.replace(/\.[a-z0-9]{2,5}$/iu, '').slice(0, 60);
  return { name: stem === '' ? title : `${title} ${stem}`, schema: proposal.schema };
}

function responseFormat(draft: SchemaDraft): Record<string, unknown> {
  const name = draft.name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, '_')
    .replaceAll(/^_|_$/gu, '')
    .slice(0, 60);
  return {
    type: 'json_schema',
    json_schema: { name: name === '' ? 'document' : name, strict: true, schema: draft.schema },
  };
}

function introduce(proposal: Proposal, draft: SchemaDraft, attempt: number): string {
  if (attempt > 0) return `I change the proposal: **${draft.name}**, with ${fieldList(draft)}.`;
  const kind =
    proposal.kind === 'report'
      ? 'a document of no kind I know'
      : `${proposal.kind === 'invoice' ? 'an' : 'a'} ${proposal.kind}`;
  return `This looks like ${kind}. On the page I find ${fieldList(draft)}. I check a schema of these.`;
}

function fieldList(draft: SchemaDraft): string {
  const names = Object.keys(draft.schema.properties);
  return `${names.length} field${names.length === 1 ? '' : 's'} (${names.join(', ')})`;
}

/** A different draft where the refusal says what to change, else the words to end with. */
function afterRefusal(draft: SchemaDraft, refusal: Exclude<Outcome, { kind: 'done' }>): SchemaDraft | string {
  if (refusal.kind === 'rejected') {
    const changed = applyWishes(draft, wishesIn(refusal.reason));
    if (JSON.stringify(changed) !== JSON.stringify(draft) && Object.keys(changed.schema.properties).length > 0)
      return changed;
    const heard =
      refusal.reason === '' ? '' : ` You wrote “${refusal.reason}”, which I do not know how to turn into a change.`;
    return `I have not created the schema.${heard} What should be different? For example “call it Supplier invoice”, “without line items” or “add a field order date”.`;
  }
  if (/exist|taken|duplicate|already|unique|collid/iu.test(refusal.error))
    return { ...draft, name: nextName(draft.name) };
  return stopped('create the schema', refusal);
}

/** `Invoice` → `Invoice 2` → `Invoice 3`. */
function nextName(name: string): string {
  const match = /^(.*) (\d{1,2})$/u.exec(name);
  return match ? `${match[1]} ${Number(match[2]) + 1}` : `${name} 2`;
}

function promptContent(proposal: Proposal): string {
  const kind = proposal.kind === 'report' ? 'document' : proposal.kind;
  return `Extract the fields of the schema from this ${kind}. Take values only from the pages. Write dates as YYYY-MM-DD and amounts as numbers. Leave a field null where the pages do not say it.`;
}

const noTextAnswer =
  'No text could be read on the pages of this document, so there is nothing I could take fields or values from. If it is a scan, it has to go through text recognition first.';

const nothingFoundAnswer =
  'I can read text on the pages but recognise no fields in it: no labels with values, no table. Tell me which fields you want, for example “create a schema with the fields title, date and author”.';
