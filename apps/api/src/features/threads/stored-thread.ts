import { isShown } from '@docwright/contract';
import type { ReasoningLevel, ThreadMessage, ThreadSummary, ToolCall, WorkingState } from '@docwright/contract';
import type { StoredCall, ThreadMessageRecord, ThreadRecord } from './thread-model.ts';

export type NewThreadMessage = Omit<ThreadMessage, 'id' | 'created_at'>;
export type StoredThread = ThreadSummary & { working_state: WorkingState };

export function firstUserMessage(messages: readonly NewThreadMessage[]): NewThreadMessage | undefined {
  return messages.find((message) => message.role === 'user');
}

export function summary(record: Omit<ThreadRecord, 'working_state'>): ThreadSummary {
  const { _id, title, model, reasoning } = record;
  return {
    id: _id.toHexString(),
    title,
    created_at: record.created_at.toISOString(),
    updated_at: record.updated_at.toISOString(),
    ...(model !== undefined && { model }),
    ...(reasoning && { reasoning }),
  };
}

export function presentThread(record: ThreadRecord): StoredThread {
  const working_state: WorkingState = JSON.parse(record.working_state);
  return { ...summary(record), working_state };
}

export function storedCall({ id, name, arguments: args, ...origin }: ToolCall): StoredCall {
  const isKnown = Object.values(origin).some((each) => each !== undefined);
  return { id, name, arguments: args, ...(isKnown && { origin: JSON.stringify(origin) }) };
}

export function presentCall({ origin, ...call }: StoredCall): ToolCall {
  return origin === undefined ? call : { ...call, ...(JSON.parse(origin) as Partial<ToolCall>) };
}

export function storedMessage({ claims, coverage, ...message }: NewThreadMessage) {
  return { ...message, ...(claims && { checked: JSON.stringify({ claims, coverage }) }) };
}

/** What a message holds documents in. */
type Holding = Pick<NewThreadMessage, 'role' | 'content' | 'success'> & { checked?: string | undefined };

/** How results of tools and checked answers name the document of a value or text. In a text of a document, quotes are escaped. */
const documentNames = /(?<!\\)"document_id":\s*"([\da-f]{24})"/giu;

/** The documents that a message holds values or texts of: those that a result of a tool or a claim names. */
export function documentsHeldBy({ role, content, success, checked = '' }: Holding): string[] {
  const result = role === 'tool' && success !== false ? content : '';
  const named = [...result.matchAll(documentNames), ...checked.matchAll(documentNames)].map(([, id]) => id!);
  return [...new Set(named.map((id) => id.toLowerCase()))];
}

export function presentMessage({
  _id,
  created_at,
  tool_calls,
  checked,
  ...message
}: Omit<ThreadMessageRecord, 'organization_id' | 'thread_id' | 'number' | 'document_ids'>): ThreadMessage {
  return {
    id: _id.toHexString(),
    ...message,
    ...(tool_calls && { tool_calls: tool_calls.map(presentCall) }),
    ...(checked !== undefined && (JSON.parse(checked) as Pick<ThreadMessage, 'claims' | 'coverage'>)),
    created_at: created_at.toISOString(),
  };
}

/** The title of a thread before its first message. */
export const untitled = 'New conversation';

const titleLength = 50;

/** The first 50 characters of a message; a character beyond the basic plane counts once. */
export function titleFrom(message: string): string {
  const title = Array.from(message).slice(0, titleLength).join('');
  return isShown(title) ? title : untitled;
}

export interface ThreadStateChange {
  working_state?: WorkingState;
  model?: string;
  /** null: as the model's setting says. */
  reasoning?: ReasoningLevel | null | undefined;
}

/** The stored fields of a change. */
export function stateFields({ model, reasoning, working_state }: ThreadStateChange) {
  const state = { model, reasoning, working_state: working_state && JSON.stringify(working_state) };
  const given = Object.entries(state).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(given), updated_at: new Date() };
}
