import type { AuditEntry } from '@docwright/contract';
import type { AssistantEntry, ChatEntry, ToolCard } from '../../../agent-ui/chat-state.ts';

const writing = /^(create|update|delete)_|^run_extraction$/;

/** Whether a tool changes something when it runs. */
const isWrite = (toolName: string): boolean => writing.test(toolName);

/** The successful writes of a turn. */
export function changesOf(entries: readonly AssistantEntry[]): ToolCard[] {
  return entries.flatMap(({ cards }) => cards.filter(({ name, state }) => state === 'done' && isWrite(name)));
}

/** The answers of the turn that ends with entry `index`; undefined if no turn ends there. */
export function turnEndingAt(entries: readonly ChatEntry[], index: number): AssistantEntry[] | undefined {
  if (entries[index]?.kind !== 'assistant' || entries[index + 1]?.kind === 'assistant') return undefined;
  let start = index;
  while (entries[start - 1]?.kind === 'assistant') start -= 1;
  return entries.slice(start, index + 1).filter((entry) => entry.kind === 'assistant');
}

/** Finds in the audit log the turn of a call, and whether it was undone. */
export function turnInAudit(
  audit: readonly AuditEntry[],
  callId: string,
): { turnId: string; undone: boolean } | undefined {
  const turnId = audit.find(({ call_id }) => call_id === callId)?.turn_id;
  if (turnId === undefined) return undefined;
  return { turnId, undone: audit.some(({ kind, turn_id }) => kind === 'undone' && turn_id === turnId) };
}
