import type { PendingTool, SchemaChatMessage } from '@docwright/contract';
import { isRecord, parseJson } from '../../../shared/http/json-value.ts';
import { rejectionText } from '../../../agent-ui/call-outcome.ts';

export type CallOutcome = 'waiting' | 'done' | 'failed' | 'declined';

export interface CallEntry extends PendingTool {
  outcome: CallOutcome;
  /** Why it failed. */
  error?: string | undefined;
  /** What the person gave as its result, where that can be shown. */
  images: string[];
  /** What they said to the questions of the call, a line for each. */
  answers: string[];
}

export interface NamedDocument {
  id: string;
  name: string;
}

export type ConversationEntry =
  | { kind: 'person'; text: string; images: string[]; documents: NamedDocument[] }
  | { kind: 'agent'; text: string; calls: CallEntry[] };

/** The history as it is read: each call with its outcome. */
export function conversationEntries(history: SchemaChatMessage[]): ConversationEntry[] {
  const results = new Map(
    history.flatMap((message) => (message.role === 'tool' ? [[message.tool_call_id ?? '', message] as const] : [])),
  );
  return history.flatMap((message): ConversationEntry[] => {
    if (message.role === 'user')
      return [{ kind: 'person', ...readMessage(textOf(message)), images: imagesOf(message) }];
    if (message.role === 'tool') return [];
    const calls = (message.tool_calls ?? []).map(({ id, function: called }) =>
      callEntry({ id, function: called }, results.get(id)),
    );
    return [{ kind: 'agent', text: textOf(message), calls }];
  });
}

/** How the result of a declined call begins. */
const rejection = rejectionText(undefined);

function callEntry(call: PendingTool, result: SchemaChatMessage | undefined): CallEntry {
  if (result === undefined) return { ...call, outcome: 'waiting', images: [], answers: [] };
  const text = textOf(result);
  const told = parseJson(text);
  const given = { ...call, images: imagesOf(result), answers: answerLines(call, told) };
  if (text.startsWith(rejection)) return { ...given, outcome: 'declined' };
  const error = isRecord(told) && typeof told['error'] === 'string' ? told['error'] : undefined;
  return error === undefined ? { ...given, outcome: 'done' } : { ...given, outcome: 'failed', error };
}

function textOf({ content }: SchemaChatMessage): string {
  if (typeof content === 'string') return content;
  return (content ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

function imagesOf({ content }: SchemaChatMessage): string[] {
  if (typeof content === 'string') return [];
  return (content ?? []).flatMap((part) => (part.type === 'image_url' ? [part.image_url.url] : []));
}

const documentLine = ({ id, name }: NamedDocument) => `Look at the document with the documentId ${id}, “${name}”.`;
const documentLines = /(?:^|\n)Look at the document with the documentId ([0-9a-f]{24}), “([^\n]*)”\.(?=\n|$)/gu;

/** A message of the person, with what is to be looked at; `readMessage` takes it apart again. */
export function personMessage(text: string, documents: NamedDocument[], images: string[]): SchemaChatMessage {
  const lines = [text, ...documents.map(documentLine)].filter((line) => line !== '').join('\n');
  if (images.length === 0) return { role: 'user', content: lines };
  return {
    role: 'user',
    content: [
      { type: 'text', text: lines === '' ? 'An example image:' : lines },
      ...images.map((url) => ({ type: 'image_url' as const, image_url: { url } })),
    ],
  };
}

function readMessage(text: string): { text: string; documents: NamedDocument[] } {
  const documents = [...text.matchAll(documentLines)].map(([, id = '', name = '']) => ({ id, name }));
  return { text: text.replace(documentLines, '').trim(), documents };
}

const records = (value: unknown) => (Array.isArray(value) ? value.filter(isRecord) : []);

/** What the person said to the questions of a call, a line for each: its header and the chosen words. */
function answerLines(call: PendingTool, result: unknown): string[] {
  if (call.function.name !== 'ask_questions' || !isRecord(result)) return [];
  if (result['skipped'] === true) return ['Skipped'];
  const args = parseJson(call.function.arguments);
  const questions = records(isRecord(args) ? args['questions'] : undefined);
  return records(result['answers']).flatMap(({ question_id, option_ids, other }) => {
    const question = questions.find(({ id }) => id === question_id);
    const chosen = records(question?.['options']).filter(
      ({ id }) => Array.isArray(option_ids) && option_ids.includes(id),
    );
    const words = [...chosen.map(({ label }) => label), other].filter((word) => typeof word === 'string');
    const header = typeof question?.['header'] === 'string' ? `${question['header']}: ` : '';
    return words.length === 0 ? [] : [header + words.join(', ')];
  });
}
