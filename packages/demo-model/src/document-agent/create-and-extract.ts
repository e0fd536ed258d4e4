import { z } from 'zod';
import type { RuleInput } from '../conversation/conversation.ts';
import { bold, linked } from '../conversation/markdown.ts';
import { describeRefusal, type Outcome, type Refusal, textIn } from '../conversation/outcome.ts';
import { type PlanOfSteps, type BatchSteps, use } from '../conversation/plan.ts';
import { hasText } from '../page/document-text.ts';
import { kindName } from '../propose/document-kind.ts';
import { findKindOf } from '../propose/kind-title.ts';
import { type ProposedSetup, proposeSchema } from '../propose/propose-schema.ts';
import { whyNonsense } from '../propose/why-nonsense.ts';
import { readWholeDocument, whyNoText } from './pages/page-texts.ts';
import { describeExtraction, runExtraction } from './results/run-extraction.ts';
import { draftOf, fieldList, promptContentFor, responseFormatOf, type SchemaDraft } from './schemas/schema-draft.ts';
import { applyWishes, wishesIn } from './schemas/schema-wishes.ts';

const maxSchemaAttempts = 4;

/** Such a request is about the kind of document. The rest of it is advice, and names no schema or fields. */
const documentsLikeIt = /\bdocuments like (?:it|this)\b/iu;

/** The user wants to decide once: “as a plan”, “in one go”. */
const asksForPlan = /\b(?:plan|in one go|one decision|all at once|ask (?:me )?once)\b/iu;

/** Proposes a schema for the document, creates it and its prompt, extracts and summarizes. */
export function* createAndExtract(conversation: RuleInput, wantsExtraction: boolean, start?: SchemaDraft): PlanOfSteps {
  const document = yield* readWholeDocument(conversation);
  if (!document || !hasText(document)) return whyNoText(conversation) ?? noTextAnswer;
  const known = findKindOf(document, conversation.kinds);
  if (known) {
    const lead = `The existing prompt ${linked(known.name, 'prompt', known.prompt_revid)} fits this kind of document, so I use it.`;
    return yield* runExtraction(known.prompt_revid, lead);
  }
  const isForKind = documentsLikeIt.test(conversation.request);
  const proposal = proposeSchema(document, { forKind: isForKind, language: conversation.language });
  const wishes = wishesIn(isForKind ? '' : conversation.request);
  const wanted = applyWishes(start ?? draftOf(proposal), wishes);
  // Fields that the user names are wanted on every kind of page.
  const areFieldsNamed = wishes.only !== null || start !== undefined;
  const nonsense = whyNonsense({
    schema: wanted.schema,
    leftOut: areFieldsNamed ? [] : proposal.leftOut,
    isForUnknownKind: isForKind && proposal.kind === 'document',
  });
  if (nonsense !== undefined) return nonsense;
  const content = promptContentFor(proposal);
  const introduction = areFieldsNamed ? `The schema has ${fieldList(wanted)}.` : describeProposal(proposal, wanted);
  if (wantsExtraction && asksForPlan.test(conversation.request))
    return yield* createByPlan(wanted, content, introduction);
  const created = yield* createSchema(wanted, introduction);
  if (typeof created === 'string') return created;
  const { draft, schemaId, schemaRevid } = created;
  const lead = `I made the schema ${linked(draft.name, 'schema', schemaRevid)} with ${fieldList(draft)}`;
  if (!wantsExtraction) return `${lead}. Say “extract it” to make a prompt for it and run the extraction.`;
  return yield* promptAndExtract({ name: draft.name, content, schema_id: schemaId }, lead, conversation);
}

const noTextAnswer =
  'No text could be read on the pages of this document, so there is nothing I could take fields or values from. If it is a scan, it has to go through text recognition first.';

function describeProposal(proposal: ProposedSetup, draft: SchemaDraft): string {
  const kind = kindName(proposal.kind);
  const guess =
    proposal.kind === 'document'
      ? 'I do not know this kind of document.'
      : `This looks like ${/^[aeiou]/u.test(kind) ? 'an' : 'a'} ${kind}.`;
  return `${guess} On the page I find ${fieldList(draft)}.`;
}

/** The three writes as one plan. The results of the first two complete the arguments of the next one. */
function setUpPlan(draft: SchemaDraft, content: string) {
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

const approvedSteps = z.looseObject({ approved_steps: z.array(z.looseObject({ id: z.string() })) });

/** Proposes the plan, then calls the approved steps by their ids: the product fills in what the user approved. */
function* createByPlan(draft: SchemaDraft, content: string, introduction: string): PlanOfSteps {
  const plan = setUpPlan(draft, content);
  const approved = yield* use('propose_plan', plan, `${introduction} All of it is one plan.`);
  if (approved.kind !== 'done') return describeRefusal('carry out the plan', approved);
  const steps = approvedSteps.safeParse(approved.value).data?.approved_steps ?? plan.steps;
  const isApproved = (wanted: string) => steps.some(({ id }) => id === wanted);
  if (!isApproved('schema')) return 'I made no schema, and left out the steps that you removed from the plan.';

  const createdSchema = yield* use('create_schema', { step_id: 'schema' }, 'I carry out the plan.');
  if (createdSchema.kind !== 'done') return describeRefusal('create the schema', createdSchema);
  const schemaName = textIn(createdSchema, 'name');
  const lead = `I made the schema ${linked(schemaName, 'schema', textIn(createdSchema, 'schema_revid'))}`;

  const createdPrompt = isApproved('prompt') ? yield* use('create_prompt', { step_id: 'prompt' }) : undefined;
  if (createdPrompt !== undefined && createdPrompt.kind !== 'done')
    return `${lead}. ${describeRefusal('create the prompt for it', createdPrompt)}`;
  if (createdPrompt === undefined || !isApproved('extraction'))
    return `${lead}, and left out the steps that you removed from the plan.`;
  const promptRevid = textIn(createdPrompt, 'prompt_revid');
  const before = lead + describePrompt({ name: textIn(createdPrompt, 'name'), promptRevid });
  return describeExtraction(yield* use('run_extraction', { step_id: 'extraction' }), before);
}

interface CreatedSchema {
  draft: SchemaDraft;
  schemaId: string;
  schemaRevid: string;
}

/** Creates a schema. After a refusal that asks for a change, it tries a changed schema; otherwise it returns a message. */
function* createSchema(wanted: SchemaDraft, introduction: string): BatchSteps<CreatedSchema | string> {
  let draft = wanted;
  let text = introduction;
  for (let attempt = 0; attempt < maxSchemaAttempts; attempt += 1) {
    const created = yield* use('create_schema', { name: draft.name, response_format: responseFormatOf(draft) }, text);
    if (created.kind === 'done') {
      return { draft, schemaId: textIn(created, 'schema_id'), schemaRevid: textIn(created, 'schema_revid') };
    }
    const changed = changeAfterRefusal(draft, created);
    if (typeof changed === 'string') return changed;
    draft = changed;
    text = `I change the proposal: ${bold(draft.name)}, with ${fieldList(draft)}.`;
  }
  return 'I tried several names and forms of the schema and none was accepted, so I stop here. Tell me what to call it.';
}

/** A changed draft if the refusal asks for a change, otherwise the final message. */
function changeAfterRefusal(draft: SchemaDraft, refusal: Refusal): SchemaDraft | string {
  if (refusal.kind === 'failed')
    return isNameTaken(refusal.error)
      ? { ...draft, name: nextName(draft.name) }
      : describeRefusal('create the schema', refusal);
  const changed = applyWishes(draft, wishesIn(refusal.reason));
  const isChanged = JSON.stringify(changed) !== JSON.stringify(draft);
  if (isChanged && Object.keys(changed.schema.properties).length > 0) return changed;
  return `${describeRefusal('create the schema', refusal)} For example “call it Supplier invoice”, “without line items” or “add a field order date”.`;
}

interface PromptArguments extends Record<string, unknown> {
  name: string;
  content: string;
  schema_id: string;
}

interface CreatedPrompt {
  name: string;
  promptRevid: string;
}

/**
 * Creates the prompt and extracts in one batch, which is one decision of the user. The extraction would use an earlier
 * prompt of the conversation, if there is one: then it waits until the new prompt exists.
 */
function* promptAndExtract(
  wanted: PromptArguments,
  lead: string,
  { workingState, allowsParallel }: RuleInput,
): PlanOfSteps {
  let prompt: Outcome | undefined;
  if (workingState.promptRevid !== null || !allowsParallel) prompt = yield* use('create_prompt', wanted);
  else {
    const [created, extraction] = yield {
      text: '',
      calls: [
        { name: 'create_prompt', arguments: wanted },
        { name: 'run_extraction', arguments: {} },
      ],
    };
    if (created?.kind === 'done') {
      const text = lead + describePrompt({ name: wanted.name, promptRevid: textIn(created, 'prompt_revid') });
      return describeExtraction(extraction ?? noResult, text);
    }
    prompt = created;
  }
  const created = yield* createdPromptOrRetry(wanted, prompt ?? noResult);
  if (typeof created === 'string') return `${lead}. ${created}`;
  return yield* runExtraction(created.promptRevid, lead + describePrompt(created));
}

const noResult: Refusal = { kind: 'failed', error: 'no result' };

function describePrompt({ name, promptRevid }: CreatedPrompt): string {
  return `, and the prompt ${linked(name, 'prompt', promptRevid)} for it.`;
}

/** The created prompt. After a refusal that gives or needs another name, it tries once more; otherwise a message. */
function* createdPromptOrRetry(wanted: PromptArguments, outcome: Outcome): BatchSteps<CreatedPrompt | string> {
  if (outcome.kind === 'done') return { name: wanted.name, promptRevid: textIn(outcome, 'prompt_revid') };
  const name = otherPromptName(wanted.name, outcome);
  if (name === null) return describeRefusal('create the prompt for it', outcome);
  const retried = yield* use('create_prompt', { ...wanted, name });
  return retried.kind === 'done'
    ? { name, promptRevid: textIn(retried, 'prompt_revid') }
    : describeRefusal('create the prompt for it', retried);
}

function otherPromptName(name: string, refusal: Refusal): string | null {
  if (refusal.kind === 'failed') return isNameTaken(refusal.error) ? nextName(name) : null;
  const wished = wishesIn(refusal.reason).name;
  return wished === name ? null : wished;
}

function isNameTaken(error: string): boolean {
  return /exist|taken|duplicate|already|unique/iu.test(error);
}

/** `Invoice` → `Invoice 2` → `Invoice 3`. */
function nextName(name: string): string {
  const match = /^(.*) (\d{1,2})$/u.exec(name);
  return match ? `${match[1]} ${Number(match[2]) + 1}` : `${name} 2`;
}
