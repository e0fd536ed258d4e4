import type { RuleInput } from '../../conversation/conversation.ts';
import { bold } from '../../conversation/markdown.ts';
import { bareName } from '../../conversation/names.ts';
import { describeRefusal, textIn } from '../../conversation/outcome.ts';
import { type PlanOfSteps, type BatchSteps, use } from '../../conversation/plan.ts';
import { findNamed, listedIn, type ListedItem, listTool } from './listed-items.ts';

type ItemKind = 'schemas' | 'prompts' | 'documents';

/** A request to rename or delete a document, schema or prompt. `name` is null for the current one. */
export interface ItemRequest {
  action: 'rename' | 'delete';
  kind: ItemKind;
  name: string | null;
  to: string;
}

const kinds: Readonly<Record<string, ItemKind>> = {
  schema: 'schemas',
  prompt: 'prompts',
  document: 'documents',
  file: 'documents',
};
const itemPattern = String.raw`(?:this|the|my|our)?\s*(?<kind>schema|prompt|document|file)`;

/** The renaming or deletion that a message requests; undefined when it requests none. */
export function itemRequestIn(request: string): ItemRequest | undefined {
  const text = request.trim().replace(/[.!?]+$/u, '');
  const renamed =
    new RegExp(
      String.raw`\b(?:rename|call)\s+${itemPattern}(?:\s+(?<name>.+?))?\s*(?:\bto\b|\binto\b|\bas\b|(?<=document|schema|file))\s+(?<to>.+)$`,
      'iu',
    ).exec(text)?.groups ??
    new RegExp(String.raw`\bchange the name of\s+${itemPattern}(?:\s+(?<name>.+?))?\s+to\s+(?<to>.+)$`, 'iu').exec(text)
      ?.groups;
  const deleted = new RegExp(
    String.raw`^(?:please\s+|can you\s+|now\s+)*(?:delete|remove|erase|lösche|supprime)\s+${itemPattern}(?:\s+(?<name>.+))?$`,
    'iu',
  ).exec(text)?.groups;
  const groups = renamed ?? deleted;
  const kind = kinds[groups?.kind?.toLowerCase() ?? ''];
  if (!groups || !kind) return undefined;
  const name = bareName((groups.name ?? '').replace(/^(?:called|named)\s+/iu, ''));
  return {
    action: renamed ? 'rename' : 'delete',
    kind,
    name: name === '' ? null : name,
    to: bareName(groups.to ?? ''),
  };
}

/** Renames or deletes one item: the named one, or the current one. */
export function* manageItem(request: ItemRequest, conversation: RuleInput): PlanOfSteps {
  const { kind, action } = request;
  const singular = kind.slice(0, -1);
  if (kind === 'prompts' && action === 'rename')
    return 'A prompt’s name cannot be changed through my tools; its content, schema, model and tags can.';
  const found = yield* findItem(request, conversation);
  if (typeof found === 'string') return found;
  const { tool, args } = callFor(request, found.id);
  const changed = yield* use(tool, args);
  if (changed.kind !== 'done') return describeRefusal(`${action} the ${singular}`, changed);
  const named = found.name === '' ? `The ${singular}` : `The ${singular} ${bold(found.name)}`;
  return action === 'rename' ? `${named} is now called ${bold(request.to)}.` : `${named} is deleted.`;
}

function callFor({ kind, action, to }: ItemRequest, id: string): { tool: string; args: Record<string, unknown> } {
  if (kind === 'documents') {
    const document = id === '' ? {} : { document_id: id };
    return action === 'rename'
      ? { tool: 'update_document', args: { ...document, document_name: to } }
      : { tool: 'delete_document', args: document };
  }
  if (kind === 'prompts') return { tool: 'delete_prompt', args: { prompt_id: id } };
  return action === 'rename'
    ? { tool: 'update_schema', args: { schema_id: id, name: to } }
    : { tool: 'delete_schema', args: { schema_id: id } };
}

type Target = Pick<ListedItem, 'id' | 'name'>;

function* findItem({ kind, name }: ItemRequest, conversation: RuleInput): BatchSteps<Target | string> {
  const singular = kind.slice(0, -1);
  if (name !== null) {
    const outcome = yield* use(listTool(kind), { limit: 100 });
    if (outcome.kind !== 'done') return describeRefusal(`list the ${kind}`, outcome);
    const items = listedIn(kind, outcome);
    const names = items.map((listed) => listed.name).join(', ');
    return (
      findNamed(items, name) ??
      `I find no ${singular} called “${name}”, or more than one.${names === '' ? '' : ` There are ${names}.`}`
    );
  }
  // Without an id the tool works on the document of this conversation.
  if (kind === 'documents') return { id: '', name: conversation.document?.name ?? '' };
  const { schemaRevid, promptRevid } = conversation.workingState;
  const revid = kind === 'schemas' ? schemaRevid : promptRevid;
  if (revid === null) return `Which ${singular} do you mean? Tell me its name, or say “list ${kind}”.`;
  const outcome = yield* use(`get_${singular}`, { [`${singular}_revid`]: revid });
  if (outcome.kind !== 'done') return describeRefusal(`read the ${singular}`, outcome);
  return { id: textIn(outcome, `${singular}_id`), name: textIn(outcome, 'name') };
}
