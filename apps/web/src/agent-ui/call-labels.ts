import { labelOfName } from '../shared/formats/capitalize.ts';
import { isRecord, parseJson } from '../shared/http/json-value.ts';
import type { CallState, ToolCard } from './chat-state.ts';
import { counted } from '../shared/formats/counted.ts';

const labels: Record<string, string> = {
  get_machine_data: 'Read the data for machines',
  get_ocr_text: 'Read the page text',
  search_document: 'Search the document',
  get_extraction_result: 'Read the extraction',
  get_schema: 'Read a schema',
  list_schemas: 'List schemas',
  validate_schema: 'Check the schema',
  validate_against_schema: 'Check values against a schema',
  get_prompt: 'Read a prompt',
  list_prompts: 'List prompts',
  get_tag: 'Read a tag',
  list_tags: 'List tags',
  list_documents: 'List documents',
  list_llm_models: 'List models',
  help_schemas: 'Read the guide to schemas',
  help_prompts: 'Read the guide to prompts',
  ask_questions: 'Questions for you',
  run_extraction: 'Run the extraction',
  update_extraction_field: 'Change a field',
  release_result: 'Release the result',
  list_fields: 'Look at the fields',
  query_results: 'Query the results',
  search_passages: 'Search the pages',
  read_pages: 'Read pages',
  calculate: 'Calculate',
  run_prompt: 'Extract',
  save_view: 'Save a view',
  propose_plan: 'Plan',
  propose_split: 'Find the documents in the file',
};

/** `create_schema` → "Create schema", for tools without a label. */

export const callLabel = (name: string): string => labels[name] ?? labelOfName(name);

export function callArguments(card: Pick<ToolCard, 'arguments'>): Record<string, unknown> {
  const value = parseJson(card.arguments);
  return isRecord(value) ? value : {};
}

/** The object of a call, such as the name it sets or the field it changes. */
export function callSubject(card: ToolCard): string | undefined {
  const args = callArguments(card);
  const result = isRecord(card.result) ? card.result : {};
  const preview = card.proposal?.preview;
  const deleted = preview?.kind === 'delete' ? preview.name : undefined;
  const candidates = [
    deleted,
    args['name'],
    args['title'],
    args['path'],
    args['document_name'],
    args['name_search'],
    args['where'],
    args['query'],
    args['expression'],
    result['name'],
  ];
  return candidates.find((candidate) => typeof candidate === 'string' && candidate !== '') as string | undefined;
}

/** The outcome of a finished call in a few words. */
export function callOutcomeLabel(card: ToolCard): string | undefined {
  const { result } = card;
  if (card.state !== 'done' || !isRecord(result)) return undefined;
  if (typeof result['valid'] === 'boolean') {
    const errors = Array.isArray(result['errors']) ? result['errors'].length : 0;
    return result['valid'] ? 'valid' : counted(errors, 'problem');
  }
  if (typeof result['total_count'] === 'number') return `${result['total_count']} found`;
  const version = result['schema_version'] ?? result['prompt_version'] ?? result['version'];
  if (typeof version !== 'number') return undefined;
  return result['is_complete'] === false ? `version ${version} · incomplete` : `version ${version}`;
}

const states: Record<CallState, string> = {
  proposed: 'Not run',
  waiting: 'Waiting for you',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  rejected: 'Rejected',
  denied: 'Not permitted',
  stale: 'Out of date',
};

export const callStateLabel = (state: CallState): string => states[state];
