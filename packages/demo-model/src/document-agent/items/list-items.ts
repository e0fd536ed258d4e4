import type { RuleInput } from '../../conversation/conversation.ts';
import { plainText } from '../../conversation/markdown.ts';
import { describeRefusal, type Outcome } from '../../conversation/outcome.ts';
import type { PlanOfSteps } from '../../conversation/plan.ts';
import { listedIn, type ListedKind, listTool } from './listed-items.ts';

const kindLabels: readonly [RegExp, ListedKind][] = [
  [/\b(?:schemas|schemata|schémas)\b/iu, 'schemas'],
  [/\b(?:prompts)\b/iu, 'prompts'],
  [/\b(?:tags|labels|étiquettes)\b/iu, 'tags'],
  [/\b(?:documents|files|dokumente)\b/iu, 'documents'],
  [/\b(?:models|llms|modelle|modèles)\b/iu, 'models'],
];
const maxShown = 20;

/** The kinds of items that a message asks to list; empty when it asks for no list. */
export function requestedLists(request: string): ListedKind[] {
  const asksForList =
    /\b(?:list|show|which|what|see|display|give me|are there|do (?:i|we) have|zeig\w*|liste|welche|affiche\w*|quels?|montre\w*)\b/iu.test(
      request,
    );
  if (!asksForList) return [];
  return kindLabels.filter(([words]) => words.test(request)).map(([, kind]) => kind);
}

/** Lists items, several kinds at once if requested. */
export function* listItems(kinds: readonly ListedKind[], { request }: RuleInput): PlanOfSteps {
  const search = /\b(?:named|called|containing|matching|with the name|like)\s+["“']?(?<text>[^"”'?.]+)/iu
    .exec(request)
    ?.groups?.text?.trim();
  const calls = kinds.map((kind) => ({
    name: listTool(kind),
    arguments: kind === 'models' ? {} : { limit: 100, ...(search === undefined ? {} : { name_search: search }) },
  }));
  const outcomes = yield { text: '', calls };
  return kinds.map((kind, index) => describeList(kind, outcomes[index])).join('\n\n');
}

function describeList(kind: ListedKind, outcome: Outcome | undefined): string {
  if (outcome?.kind !== 'done')
    return describeRefusal(`list the ${kind}`, outcome ?? { kind: 'failed', error: 'no answer' });
  const items = listedIn(kind, outcome);
  if (items.length === 0) return `There are no ${kind}.`;
  const total = typeof outcome.value.total_count === 'number' ? outcome.value.total_count : items.length;
  const lines = items.slice(0, maxShown).map(({ name, entry }) => `- ${plainText(name)}${describeEntry(entry)}`);
  const more = total > lines.length ? `\n- … and ${total - lines.length} more` : '';
  const head = total === 1 ? `There is 1 ${kind.slice(0, -1)}:` : `There are ${total} ${kind}:`;
  return `${head}\n${lines.join('\n')}${more}`;
}

function describeEntry(entry: Record<string, unknown>): string {
  const version = entry.schema_version ?? entry.prompt_version;
  if (typeof version === 'number') return ` (version ${version})`;
  if (typeof entry.state === 'string') return ` (${entry.state})`;
  return entry.default === true ? ' (default)' : '';
}
