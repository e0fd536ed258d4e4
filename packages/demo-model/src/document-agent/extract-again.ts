import type { RuleInput } from '../conversation/conversation.ts';
import { bold } from '../conversation/markdown.ts';
import { bareName } from '../conversation/names.ts';
import { describeRefusal, textIn } from '../conversation/outcome.ts';
import { type PlanOfSteps, use } from '../conversation/plan.ts';
import { createAndExtract } from './create-and-extract.ts';
import { chooseListed } from './items/choose-listed.ts';
import { findNamed, listedIn, listTool } from './items/listed-items.ts';
import { runExtraction } from './results/run-extraction.ts';

/**
 * Extracts with the named, mentioned or current prompt. With only a schema it creates a prompt; without either it creates
 * both.
 */
export function* extractAgain(conversation: RuleInput): PlanOfSteps {
  const { mentions, workingState, request } = conversation;
  const named = namedArtifact(request);
  if (named) return yield* extractWithNamed(named);
  const prompt = mentions.find(({ type }) => type === 'prompt')?.id ?? workingState.promptRevid;
  const schema = mentions.find(({ type }) => type === 'schema');
  if (schema) return yield* extractWithSchema(schema.id);
  if (prompt !== null) return yield* runExtraction(prompt, '');
  if (/\bprompt\b/iu.test(request)) {
    const chosen = yield* chooseListed('prompts', conversation);
    return typeof chosen === 'string' ? chosen : yield* runExtraction(chosen.revid, '');
  }
  if (workingState.schemaRevid !== null) return yield* extractWithSchema(workingState.schemaRevid);
  return yield* createAndExtract(conversation, true);
}

interface NamedArtifact {
  kind: 'schemas' | 'prompts';
  name: string;
}

/** The artifact in `Extract with the schema Supplier invoice`; null when the request names none. */
function namedArtifact(request: string): NamedArtifact | null {
  const groups = /\b(?:with|using|by|from)\s+(?:the\s+|my\s+)?(?<kind>schema|prompt)\s+(?<name>[^.!?\n]+)/iu.exec(
    request,
  )?.groups;
  const name = bareName(groups?.name ?? '');
  return name === '' ? null : { kind: groups?.kind?.toLowerCase() === 'prompt' ? 'prompts' : 'schemas', name };
}

function* extractWithNamed({ kind, name }: NamedArtifact): PlanOfSteps {
  const listed = yield* use(listTool(kind), { limit: 100 });
  if (listed.kind !== 'done') return describeRefusal(`list the ${kind}`, listed);
  const found = findNamed(listedIn(kind, listed), name);
  if (!found)
    return `I find no ${kind.slice(0, -1)} called “${name}”, or more than one. Say “list ${kind}” to see all.`;
  return kind === 'prompts' ? yield* runExtraction(found.revid, '') : yield* extractWithSchema(found.revid);
}

function* extractWithSchema(revid: string): PlanOfSteps {
  const schema = yield* use('get_schema', { schema_revid: revid });
  if (schema.kind !== 'done') return describeRefusal('read the schema', schema);
  const name = textIn(schema, 'name');
  const content =
    'Extract the fields of the schema from this document. Take values only from the pages; leave a field null where the pages do not say it.';
  const prompt = yield* use('create_prompt', { name, content, schema_id: textIn(schema, 'schema_id') });
  if (prompt.kind !== 'done') return describeRefusal('create a prompt for the schema', prompt);
  return yield* runExtraction(textIn(prompt, 'prompt_revid'), `I made a prompt for the schema ${bold(name)}.`);
}
