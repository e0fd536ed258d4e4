import { hasText } from '../page/document-text.ts';
import { kindName } from '../propose/document-kind.ts';
import { type Proposal, proposeSchema } from '../propose/propose-schema.ts';
import type { Conversation, Outcome } from './conversation.ts';
import { whyNoText } from './no-text.ts';
import { idOf } from './outcome-id.ts';
import { type Move, type Plan, use } from './plan.ts';
import { runExtraction } from './run-extraction.ts';
import {
  draftForKind,
  fieldList,
  firstDraft,
  promptContentFor,
  responseFormatOf,
  type SchemaDraft,
} from './artifacts/schema-draft.ts';
import { applyWishes, wishesIn } from './artifacts/schema-wishes.ts';
import { kindOfDocument } from './shown-kinds.ts';
import { stopped } from './stopped.ts';
import { readWholeDocument } from './whole-document.ts';
import { bold, linked } from './plain-text.ts';

const schemaTries = 4;

/** Such a request is about the kind of document; what else it says is advice, and no wish for names or fields. */
const documentsLikeIt = /\bdocuments like (?:it|this)\b/iu;

/**
 * From a document to values: reads the rules, proposes a schema, checks it, creates it with a prompt, extracts,
 * summarizes.
 */
export function* createAndExtract(conversation: Conversation, wantsExtraction: boolean, start?: SchemaDraft): Plan {
  const document = yield* readWholeDocument(conversation);
  if (!document || !hasText(document)) return whyNoText(conversation) ?? noTextAnswer;
  const known = kindOfDocument(conversation.kinds, document);
  if (known) {
    const lead = `This is of the kind ${linked(known.name, 'prompt', known.prompt_revid)}, which is there already. I use its prompt.`;
    return yield* runExtraction(known.prompt_revid, lead);
  }
  const help = yield* use('help_schemas', {}, 'I look up the rules for schemas first.');
  if (help.kind !== 'done') return stopped('look up the rules for schemas', help);

  const proposal = proposeSchema(document);
  const isForTheKind = documentsLikeIt.test(conversation.request);
  const wishes = wishesIn(isForTheKind ? '' : conversation.request);
  const first = isForTheKind ? draftForKind(proposal, document) : firstDraft(proposal, document.name);
  const wanted = applyWishes(start ?? first, wishes);
  if (Object.keys(wanted.schema.properties).length === 0) return nothingFoundAnswer;
  const isPlanned = wantsExtraction && asksForPlan.test(conversation.request);
  const fields =
    wishes.only === null && !start ? describeProposal(proposal, wanted) : `The schema has ${fieldList(wanted)}.`;
  if (isPlanned) {
    const say = `${fields} All of it is one plan.`;
    const planned = yield* use('propose_plan', planFor(wanted, promptContentFor(proposal)), say);
    if (planned.kind !== 'done') return stopped('carry out the plan', planned);
  }
  const created = yield* createSchema(wanted, isPlanned ? 'I carry out the plan.' : `${fields} I check the schema.`);
  if (typeof created === 'string') return created;
  const { draft, schemaId, schemaRevid } = created;
  const made = `I made the schema ${linked(draft.name, 'schema', schemaRevid)} with ${fieldList(draft)}`;
  if (!wantsExtraction) return `${made}. Say “extract it” to make a prompt for it and run the extraction.`;

  const prompt = yield* createPrompt(draft.name, promptContentFor(proposal), schemaId);
  if (typeof prompt === 'string') return `${made}. ${prompt}`;
  return yield* runExtraction(
    prompt.promptRevid,
    `${made}, and the prompt ${linked(prompt.name, 'prompt', prompt.promptRevid)} for it.`,
  );
}

/** The user wants to decide once: “as a plan”, “in one go”. */
const asksForPlan = /\b(?:plan|in one go|one decision|all at once|ask (?:me )?once)\b/iu;

/** The three writes as one card: what the first two return fills what follows. */
function planFor(draft: SchemaDraft, content: string): Record<string, unknown> {
  const { name } = draft;
  return {
    title: `Set up ${name} and extract`,
    steps: [
      {
        id: 'schema',
        tool: 'create_schema',
        arguments: { name, response_format: responseFormatOf(draft) },
        why: 'The values to read from documents like this.',
      },
      {
        id: 'prompt',
        tool: 'create_prompt',
        arguments: { name, content, schema_id: { $from: 'schema', path: 'schema_id' } },
        why: 'How to read them.',
      },
      {
        id: 'extraction',
        tool: 'run_extraction',
        arguments: { prompt_revid: { $from: 'prompt', path: 'prompt_revid' } },
        why: 'Reads them from this document.',
      },
    ],
  };
}

/** Checks and creates a schema. After a refusal it tries a changed one, as long as the refusal names a change. */
function* createSchema(
  wanted: SchemaDraft,
  introduction: string,
): Generator<Move, { draft: SchemaDraft; schemaId: string; schemaRevid: string } | string, Outcome[]> {
  let draft = wanted;
  let say = introduction;
  for (let attempt = 0; attempt < schemaTries; attempt += 1) {
    const response_format = responseFormatOf(draft);
    const checked = yield* use('validate_schema', { schema: JSON.stringify(response_format) }, say);
    if (checked.kind !== 'done') return stopped('check the schema', checked);
    if (checked.value.valid === false) {
      return `The schema I made is not valid: ${JSON.stringify(checked.value.errors)}. I stop here; nothing was created.`;
    }
    const created = yield* use('create_schema', { name: draft.name, response_format });
    if (created.kind === 'done') {
      return { draft, schemaId: idOf(created, 'schema_id'), schemaRevid: idOf(created, 'schema_revid') };
    }
    const changed = afterRefusal(draft, created);
    if (typeof changed === 'string') return changed;
    draft = changed;
    say = `I change the proposal: ${bold(draft.name)}, with ${fieldList(draft)}.`;
  }
  return 'I tried several names and forms of the schema and none was taken, so I stop here. Tell me what to call it.';
}

/** Creates the prompt. After a rejection with another name, it tries once more under that name. */
function* createPrompt(
  name: string,
  content: string,
  schemaId: string,
): Generator<Move, { name: string; promptRevid: string } | string, Outcome[]> {
  const created = yield* use('create_prompt', { name, content, schema_id: schemaId });
  if (created.kind === 'done') return { name, promptRevid: idOf(created, 'prompt_revid') };
  const other = otherPromptName(name, created);
  if (other === null) return stopped('create the prompt for it', created);
  const again = yield* use('create_prompt', { name: other, content, schema_id: schemaId });
  return again.kind === 'done'
    ? { name: other, promptRevid: idOf(again, 'prompt_revid') }
    : stopped('create the prompt for it', again);
}

function otherPromptName(name: string, refusal: Refusal): string | null {
  const other =
    refusal.kind === 'rejected' ? wishesIn(refusal.reason).name : isNameTaken(refusal.error) ? nextName(name) : null;
  return other === name ? null : other;
}

type Refusal = Exclude<Outcome, { kind: 'done' }>;

function describeProposal(proposal: Proposal, draft: SchemaDraft): string {
  const kind = kindName(proposal.kind);
  const looks =
    proposal.kind === 'report'
      ? 'This is no kind of document that I know.'
      : `This looks like ${/^[aeiou]/u.test(kind) ? 'an' : 'a'} ${kind}.`;
  return `${looks} On the page I find ${fieldList(draft)}.`;
}

/** A different draft if the refusal names a change, otherwise the final message. */
function afterRefusal(draft: SchemaDraft, refusal: Refusal): SchemaDraft | string {
  if (refusal.kind === 'failed')
    return isNameTaken(refusal.error)
      ? { ...draft, name: nextName(draft.name) }
      : stopped('create the schema', refusal);
  const changed = applyWishes(draft, wishesIn(refusal.reason));
  const isOther = JSON.stringify(changed) !== JSON.stringify(draft);
  if (isOther && Object.keys(changed.schema.properties).length > 0) return changed;
  return `${stopped('create the schema', refusal)} For example “call it Supplier invoice”, “without line items” or “add a field order date”.`;
}

function isNameTaken(error: string): boolean {
  return /exist|taken|duplicate|already|unique/iu.test(error);
}

/** `Invoice` → `Invoice 2` → `Invoice 3`. */
function nextName(name: string): string {
  const match = /^(.*) (\d{1,2})$/u.exec(name);
  return match ? `${match[1]} ${Number(match[2]) + 1}` : `${name} 2`;
}

const noTextAnswer =
  'No text could be read on the pages of this document, so there is nothing I could take fields or values from. If it is a scan, it has to go through text recognition first.';

const nothingFoundAnswer =
  'I can read text on the pages but recognise no fields in it: no labels with values, no table. Tell me which fields you want, for example “create a schema with the fields title, date and author”.';
