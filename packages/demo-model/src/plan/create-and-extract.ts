import { z } from 'zod';
import { hasText } from '../page/document-text.ts';
import { kindName } from '../propose/document-kind.ts';
import { type Proposal, proposeSchema } from '../propose/propose-schema.ts';
import { whyNonsense } from '../propose/why-nonsense.ts';
import type { Conversation, Outcome } from './conversation.ts';
import { whyNoText } from './no-text.ts';
import { idOf } from './outcome-id.ts';
import { type Move, type Plan, use } from './plan.ts';
import { runExtraction, told } from './run-extraction.ts';
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

/** From a document to values: proposes a schema, creates it, then its prompt with the extraction, and summarizes. */
export function* createAndExtract(conversation: Conversation, wantsExtraction: boolean, start?: SchemaDraft): Plan {
  const document = yield* readWholeDocument(conversation);
  if (!document || !hasText(document)) return whyNoText(conversation) ?? noTextAnswer;
  const known = kindOfDocument(conversation.kinds, document);
  if (known) {
    const lead = `This is of the kind ${linked(known.name, 'prompt', known.prompt_revid)}, which is there already. I use its prompt.`;
    return yield* runExtraction(known.prompt_revid, lead);
  }
  const proposal = proposeSchema(document);
  const isForTheKind = documentsLikeIt.test(conversation.request);
  const wishes = wishesIn(isForTheKind ? '' : conversation.request);
  const first = isForTheKind ? draftForKind(proposal, document) : firstDraft(proposal, document.name);
  const wanted = applyWishes(start ?? first, wishes);
  // What the person names is asked for, whatever the page looks like.
  const isNamed = wishes.only !== null || start !== undefined;
  const nonsense = whyNonsense({ schema: wanted.schema, leftOut: isNamed ? [] : proposal.leftOut });
  if (nonsense !== undefined) return nonsense;
  const content = promptContentFor(proposal);
  const fields =
    wishes.only === null && !start ? describeProposal(proposal, wanted) : `The schema has ${fieldList(wanted)}.`;
  if (wantsExtraction && asksForPlan.test(conversation.request)) return yield* asPlan(wanted, content, fields);
  const created = yield* createSchema(wanted, fields);
  if (typeof created === 'string') return created;
  const { draft, schemaId, schemaRevid } = created;
  const made = `I made the schema ${linked(draft.name, 'schema', schemaRevid)} with ${fieldList(draft)}`;
  if (!wantsExtraction) return `${made}. Say “extract it” to make a prompt for it and run the extraction.`;
  return yield* promptAndRun({ name: draft.name, content, schema_id: schemaId }, made, conversation);
}

/** The user wants to decide once: “as a plan”, “in one go”. */
const asksForPlan = /\b(?:plan|in one go|one decision|all at once|ask (?:me )?once)\b/iu;

/** The three writes as one card: what the first two return fills what follows. */
function planFor(draft: SchemaDraft, content: string) {
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

/** The steps that the person approved, with what they edited, carried out one after the other. */
function* asPlan(draft: SchemaDraft, content: string, fields: string): Plan {
  const planned = yield* use('propose_plan', planFor(draft, content), `${fields} All of it is one plan.`);
  if (planned.kind !== 'done') return stopped('carry out the plan', planned);
  const steps = approvedSteps.safeParse(planned.value).data?.approved_steps ?? planFor(draft, content).steps;
  const argumentsOf = (wanted: string) => steps.find(({ id }) => id === wanted)?.arguments;

  const schema = argumentsOf('schema');
  const created = schema && (yield* use('create_schema', schema, 'I carry out the plan.'));
  if (created && created.kind !== 'done') return stopped('create the schema', created);
  const made = created
    ? `I made the schema ${linked(String(schema?.['name']), 'schema', idOf(created, 'schema_revid'))}`
    : 'I made no schema';

  const prompt = argumentsOf('prompt');
  const asked =
    prompt && created && (yield* use('create_prompt', { ...prompt, schema_id: idOf(created, 'schema_id') }));
  if (asked && asked.kind !== 'done') return `${made}. ${stopped('create the prompt for it', asked)}`;
  if (!asked || argumentsOf('extraction') === undefined) return `${made}, and left out what you struck from the plan.`;
  const promptRevid = idOf(asked, 'prompt_revid');
  return yield* runExtraction(
    promptRevid,
    `${made}, and the prompt ${linked(String(prompt?.['name']), 'prompt', promptRevid)} for it.`,
  );
}

const approvedSteps = z.looseObject({
  approved_steps: z.array(z.looseObject({ id: z.string(), arguments: z.record(z.string(), z.unknown()) })),
});

/** Creates a schema, which checks it. After a refusal it tries a changed one, as long as the refusal names a change. */
function* createSchema(
  wanted: SchemaDraft,
  introduction: string,
): Generator<Move, { draft: SchemaDraft; schemaId: string; schemaRevid: string } | string, Outcome[]> {
  let draft = wanted;
  let say = introduction;
  for (let attempt = 0; attempt < schemaTries; attempt += 1) {
    const created = yield* use('create_schema', { name: draft.name, response_format: responseFormatOf(draft) }, say);
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

interface PromptArguments extends Record<string, unknown> {
  name: string;
  content: string;
  schema_id: string;
}

/**
 * Creates the prompt and extracts in one answer, which is one decision. With a prompt from before, the extraction waits
 * until the new one is there. After a rejection with another name it tries once more under that name.
 */
function* promptAndRun(wanted: PromptArguments, made: string, { workingState, allowsParallel }: Conversation): Plan {
  if (workingState.promptRevid !== null || !allowsParallel) {
    const created = yield* createPrompt(wanted);
    if (typeof created === 'string') return `${made}. ${created}`;
    return yield* runExtraction(created.promptRevid, `${made}${promptWords(created)}`);
  }
  const [prompt, extraction] = yield {
    say: '',
    calls: [
      { name: 'create_prompt', arguments: wanted },
      { name: 'run_extraction', arguments: {} },
    ],
  };
  if (prompt?.kind === 'done') {
    const created = { name: wanted.name, promptRevid: idOf(prompt, 'prompt_revid') };
    return told(extraction ?? { kind: 'failed', error: 'no result' }, `${made}${promptWords(created)}`);
  }
  const again = yield* afterPrompt(wanted, prompt ?? { kind: 'failed', error: 'no result' });
  if (typeof again === 'string') return `${made}. ${again}`;
  return yield* runExtraction(again.promptRevid, `${made}${promptWords(again)}`);
}

interface CreatedPrompt {
  name: string;
  promptRevid: string;
}

function promptWords({ name, promptRevid }: CreatedPrompt): string {
  return `, and the prompt ${linked(name, 'prompt', promptRevid)} for it.`;
}

function* createPrompt(wanted: PromptArguments): Generator<Move, CreatedPrompt | string, Outcome[]> {
  const created = yield* use('create_prompt', wanted);
  if (created.kind === 'done') return { name: wanted.name, promptRevid: idOf(created, 'prompt_revid') };
  return yield* afterPrompt(wanted, created);
}

/** After a refusal: the prompt under another name, where the refusal gives or asks for one. */
function* afterPrompt(wanted: PromptArguments, refusal: Refusal): Generator<Move, CreatedPrompt | string, Outcome[]> {
  const name = otherPromptName(wanted.name, refusal);
  if (name === null) return stopped('create the prompt for it', refusal);
  const again = yield* use('create_prompt', { ...wanted, name });
  return again.kind === 'done'
    ? { name, promptRevid: idOf(again, 'prompt_revid') }
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
