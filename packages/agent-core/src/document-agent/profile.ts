import { DomainError, type Schema } from '@docwright/contract';
import type { LlmTool } from '../llm/llm-client.ts';
import type { AgentProfile, PromptContext } from '../loop/agent-profile.ts';
import { firstKnown, localeLines, type Locale } from '../turns/locale-lines.ts';
import { changesSince } from './context/changes-since.ts';
import { defuseName } from './context/document-block.ts';
import { givenContent, maxNamed } from './context/given-content.ts';
import { findMentions } from './context/mention.ts';
import { furtherToolsDefinition } from '../tool/further-tools.ts';
import type { Tool } from '../tool/tool.ts';
import type { Toolset } from '../tool/toolset.ts';
import { undefinedOnDomainError } from '../tool/undefined-on-domain-error.ts';
import type { DocumentAgentServices } from './context/services.ts';
import type { ConversationKind } from './context/rules.ts';
import { withPageImages } from './context/page-images.ts';
import { documentFacts, readDocument } from './context/reading.ts';
import { documentAgentPrompt, type DocumentAgentPrompt } from './system-prompt.ts';
import { documentAgentTools } from './tools/index.ts';
import { fieldNames } from './tools/shared/references.ts';

/**
 * The profile of the document agent, for chats and for unattended runs.
 *
 * @example
 * import { createDocumentAgentProfile } from '@docwright/agent-core';
 *
 * const profile = createDocumentAgentProfile({ maxRounds: 10, timeoutMs: 120_000 });
 */
export function createDocumentAgentProfile(
  limits: AgentProfile<DocumentAgentServices>['limits'],
): AgentProfile<DocumentAgentServices> {
  return {
    name: 'document-agent',
    tools: documentAgentTools,
    limits,
    offered: async (context) => offeredTo(await kindOf(context)),
    withImages: async (context) =>
      withPageImages(context.services, context.history, (await kindOf(context)).canSee === true),
    buildSystemPrompt: async (context) => (await promptOf(context)).system,
    givenContent,
    buildTail: async (context) => (await promptOf(context)).tail,
  };
}

/** Makes something once for each request: several parts of the profile need it. */
function oncePerRequest<Made>(make: (context: PromptContext<DocumentAgentServices>) => Promise<Made>): typeof make {
  const made = new WeakMap<PromptContext<DocumentAgentServices>, Promise<Made>>();
  return (context) => {
    const known = made.get(context) ?? make(context);
    made.set(context, known);
    return known;
  };
}

/** The kind of the conversation. `canSee` is checked before every request: the endpoint can have refused images since. */
const kindOf = oncePerRequest(async ({ services, model }): Promise<ConversationKind> => {
  const canSee = services.documents.image !== undefined && (await services.models.canSee?.(model)) === true;
  return { ...services.conversation, canSee };
});

const offeredByKind = new WeakMap<Toolset<DocumentAgentServices>, Map<string, readonly LlmTool[]>>();

/**
 * The definitions to offer. An unattended run gets no tools that ask or need the user or delete; a read-only conversation gets no
 * write tools.
 */
export function offeredTo(
  { isUnattended, isReadOnly, canSee }: ConversationKind,
  tools: Toolset<DocumentAgentServices> = documentAgentTools,
): readonly LlmTool[] {
  const key = `${isUnattended} ${isReadOnly} ${canSee}`;
  const byKind = offeredByKind.get(tools) ?? new Map<string, readonly LlmTool[]>();
  offeredByKind.set(tools, byKind);
  const known = byKind.get(key);
  if (known !== undefined) return known;
  const isAllowed = ({ effect, needsSight, needsUser, ...tool }: Tool<DocumentAgentServices>) => {
    const { awaitsAnswers, proposesPlan, runsPlan } = tool;
    if (needsSight === true && canSee !== true) return false;
    const isOfPlans = proposesPlan === true || runsPlan === true;
    if (isReadOnly === true && (effect !== 'read' || isOfPlans)) return false;
    const isOfUser = needsUser === true || awaitsAnswers === true || isOfPlans || effect === 'delete';
    return isUnattended !== true || !isOfUser;
  };
  const further = tools.definitionsOf((tool) => isAllowed(tool) && tool.isFurther === true);
  const offered = [
    ...tools.definitionsOf((tool) => isAllowed(tool) && tool.isFurther !== true),
    furtherToolsDefinition(further),
  ];
  byKind.set(key, offered);
  return offered;
}

/** System message and tail of a request. */
const promptOf = oncePerRequest(async (context): Promise<DocumentAgentPrompt> => {
  const { services, workingState, mentions, history, timeZone, language } = context;
  const [kind, reading, facts, changes, found] = await Promise.all([
    kindOf(context),
    readDocument(services),
    factsOf(services, { timeZone, language }),
    changesSince(services, workingState),
    findMentions(services, mentions),
  ]);
  return documentAgentPrompt({
    document: services.document,
    ...reading,
    kind,
    facts: [...facts, ...changes],
    mentions: found,
    state: workingState,
    history,
  });
});

/** Today's date, the language, the document's tags and the prompts that apply to it, so that the model needs no list calls. */
async function factsOf(services: DocumentAgentServices, asked: Locale): Promise<string[]> {
  const [stored, document, schemas] = await Promise.all([
    services.locale?.(),
    // The turn can have deleted its own document.
    undefinedOnDomainError(() => services.documents.get(services.document.id)),
    schemasLine(services),
  ]);
  const today = localeLines(services.now?.() ?? new Date(), firstKnown(asked, stored));
  if (document === undefined) return today;
  try {
    const { tag_ids } = document;
    const known = [...today, ...documentFacts(document)];
    if (tag_ids.length === 0) return [...known, 'Tags of the document: none', schemas];
    const [tags, fitting] = await Promise.all([
      Promise.all(tag_ids.slice(0, maxNamed).map((id) => services.tags.get(id).catch(() => undefined))),
      services.prompts.list({ skip: 0, limit: maxNamed, document_id: services.document.id }),
    ]);
    const named = tags.flatMap((tag) => (tag === undefined ? [] : [`"${defuseName(tag.name)}" (${tag.tag_id})`]));
    const fits = await Promise.all(
      fitting.prompts.map(async ({ name, prompt_revid, schema_revid }) => {
        const schema =
          schema_revid === undefined
            ? undefined
            : await undefinedOnDomainError(() => services.schemas.get(schema_revid));
        const reads = schema === undefined ? '' : `, with the schema ${schemaInShort(schema)}`;
        return `"${defuseName(name)}" (prompt_revid ${prompt_revid}${reads})`;
      }),
    );
    return [
      ...known,
      `Tags of the document: ${named.join(', ')}`,
      `Prompts that fit it by tag: ${fits.length === 0 ? 'none' : fits.join(', ')}`,
      ...(fits.length === 0 ? [schemas] : []),
    ];
  } catch (error) {
    // The turn can have deleted its own document.
    if (error instanceof DomainError) return today;
    throw error;
  }
}

/** The newest schemas, so that the model can reuse one without a list call. */
async function schemasLine({ schemas }: DocumentAgentServices): Promise<string> {
  const { schemas: newest, total_count } = await schemas.list({ skip: 0, limit: maxSchemas });
  if (total_count === 0) return 'Schemas of the organization: none yet';
  const more = total_count - newest.length;
  return `Schemas of the organization, the newest first: ${newest.map(schemaInShort).join('; ')}${more > 0 ? `; and ${more} more, which list_schemas names` : ''}`;
}

/** Maximum number of schemas that are named with their fields. */
const maxSchemas = 6;
const maxFields = 8;

function schemaInShort(schema: Schema): string {
  const { name, schema_id, schema_revid } = schema;
  const fields = defuseName(fieldNames(schema, maxFields));
  return `"${defuseName(name)}" (schema_id ${schema_id}, schema_revid ${schema_revid}${fields === '' ? '' : `, fields: ${fields}`})`;
}
