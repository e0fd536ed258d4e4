import type { Outcome } from '../../conversation/outcome.ts';
import { wordsOf } from '../../page/fold.ts';

export type ListedKind = 'schemas' | 'prompts' | 'tags' | 'documents' | 'models';

export interface ListedItem {
  id: string;
  /** The newest revision, for schemas and prompts. */
  revid: string;
  name: string;
  /** As the tool returned it. */
  entry: Record<string, unknown>;
}

const keysOf: Readonly<Record<ListedKind, { tool: string; id: string; revid?: string; name: string }>> = {
  schemas: { tool: 'list_schemas', id: 'schema_id', revid: 'schema_revid', name: 'name' },
  prompts: { tool: 'list_prompts', id: 'prompt_id', revid: 'prompt_revid', name: 'name' },
  tags: { tool: 'list_tags', id: 'tag_id', name: 'name' },
  documents: { tool: 'list_documents', id: 'id', name: 'document_name' },
  models: { tool: 'list_llm_models', id: 'id', name: 'id' },
};

/** The name of the tool that lists items of a kind. */
export function listTool(kind: ListedKind): string {
  return keysOf[kind].tool;
}

/** The items of a list tool's result; empty for any other result. */
export function listedIn(kind: ListedKind, outcome: Outcome): ListedItem[] {
  const list = outcome.kind === 'done' ? outcome.value[kind] : undefined;
  if (!Array.isArray(list)) return [];
  const { id, revid = id, name } = keysOf[kind];
  // A long list has a text in the place of what was cut.
  const entries = (list as unknown[]).filter((entry) => typeof entry === 'object' && entry !== null);
  return (entries as Record<string, unknown>[]).map((entry) => ({
    id: textAt(entry, id),
    revid: textAt(entry, revid),
    name: textAt(entry, name),
    entry,
  }));
}

function textAt(entry: Record<string, unknown>, key: string): string {
  const value = entry[key];
  return typeof value === 'string' ? value : '';
}

/** The item with this name, otherwise the only one whose name contains these words. */
export function findNamed(items: readonly ListedItem[], name: string): ListedItem | null {
  const wanted = wordsOf(name);
  const exact = items.find((item) => item.name === name) ?? items.find((item) => wordsOf(item.name) === wanted);
  if (exact) return exact;
  const similar = items.filter((item) => wanted !== '' && wordsOf(item.name).includes(wanted));
  return similar.length === 1 ? (similar[0] ?? null) : null;
}
