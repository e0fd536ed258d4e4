import type { DocumentFilter } from '@docwright/contract';
import type { Command } from 'commander';
import type { Docwright } from '../../create-docwright.ts';
import { listOption } from '../context/action.ts';
import { resolveTags } from '../context/names.ts';

export interface FilterOptions {
  tag?: string[];
  state?: string[];
  search?: string;
  withoutResult?: true;
}

export function addFilterOptions(command: Command): Command {
  return command
    .option('--tag <name>', 'documents with this tag; may be repeated', listOption)
    .option('--state <states>', 'documents in one of these states, comma-separated', listOption)
    .option('--search <text>', 'documents with this text in their name')
    .option('--without-result', 'documents without an extraction');
}

/** The filter of the options; undefined without options. */
export async function readFilter(
  client: Docwright,
  { tag, state, search, withoutResult }: FilterOptions,
  signal: AbortSignal,
): Promise<DocumentFilter | undefined> {
  const filter: DocumentFilter = {
    ...(tag && { tag_ids: await resolveTags(client, tag, signal) }),
    // The server lists the valid states.
    ...(state && { states: state as NonNullable<DocumentFilter['states']> }),
    ...(search !== undefined && { name_search: search }),
    ...(withoutResult === true && { without_result: true }),
  };
  return Object.keys(filter).length === 0 ? undefined : filter;
}
