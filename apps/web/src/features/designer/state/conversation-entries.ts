import type { PendingTool, SchemaChatMessage } from '@docwright/contract';
import { isRecord, parseJson, recordsIn } from '../../../shared/http/json-value.ts';
import { rejectionText } from '../../../agent-ui/call-outcome.ts';

export type EntryOutcome = 'waiting' | 'done' | 'failed' | 'declined';

export interface CallEntry extends PendingTool {
  outcome: EntryOutcome;
  /** Why it failed. */
  error?: string | undefined;
  /** Images in its result. */
  images: string[];
  /** The user's answers to its questions, a line each. */
  answers: string[];
}

export interface MentionedDocument {
  id: string;
  name: string;
}

export type ConversationEntry =
  | { kind: 'user'; text: string; images: string[]; documents: MentionedDocument[] }
  | { kind: 'agent'; text: string; calls: CallEntry[] };

/** The messages of the conversation, each call with its outcome. */
export function conversationEntries(history: SchemaChatMessage[]): ConversationEntry[] {
  const results = new Map(
    history.flatMap((message) => (message.role === 'tool' ? [[message.tool_call_id ?? '', message] as const] : [])),
  );
  return history.flatMap((message): ConversationEntry[] => {
    if (message.role === 'user') return [{ kind: 'user', ...readMessage(textOf(message)), images: imagesOf(message) }];
    if (message.role === 'tool') return [];
    const calls = (message.tool_calls ?? []).map(({ id, function: called }) =>
      callEntry({ id, function: called }, results.get(id)),
    );
    return [{ kind: 'agent', text: textOf(message), calls }];
  });
}

/** Prefix of the result of a declined call. */
const rejection = rejectionText(undefined);

function callEntry(call: PendingTool, result: SchemaChatMessage | undefined): CallEntry {
  if (result === undefined) return { ...call, outcome: 'waiting', images: [], answers: [] };
  const text = textOf(result);
  const value = parseJson(text);
  const entry = { ...call, images: imagesOf(result), answers: answerLines(call, value) };
  if (text.startsWith(rejection)) return { ...entry, outcome: 'declined' };
  const error = isRecord(value) && typeof value['error'] === 'string' ? value['error'] : undefined;
  return error === undefined ? { ...entry, outcome: 'done' } : { ...entry, outcome: 'failed', error };
}

function textOf({ content }: SchemaChatMessage): string {
  if (typeof content === 'string') return content;
  return (content ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

function imagesOf({ content }: SchemaChatMessage): string[] {
  if (typeof content === 'string') return [];
  return (content ?? []).flatMap((part) => (part.type === 'image_url' ? [part.image_url.url] : []));
}

const documentLine = ({ id, name }: MentionedDocument) => `Look at the document with the documentId ${id}, “${name}”.`;
const documentLines = /(?:^|\n)Look at the document with the documentId ([0-9a-f]{24}), “([^\n]*)”\.(?=\n|$)/gu;

/** Builds a message of the user with attachments, which `readMessage` parses again. */
export function userMessage(text: string, documents: MentionedDocument[], images: string[]): SchemaChatMessage {
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

function readMessage(text: string): { text: string; documents: MentionedDocument[] } {
  const documents = [...text.matchAll(documentLines)].map(([, id = '', name = '']) => ({ id, name }));
  return { text: text.replace(documentLines, '').trim(), documents };
}

/** The user's answers to the questions of a call, a line each: header and chosen labels. */
function answerLines(call: PendingTool, result: unknown): string[] {
  if (call.function.name !== 'ask_questions' || !isRecord(result)) return [];
  if (result['skipped'] === true) return ['Skipped'];
  const args = parseJson(call.function.arguments);
  const questions = recordsIn(isRecord(args) ? args['questions'] : undefined);
  return recordsIn(result['answers']).flatMap(({ question_id, option_ids, other }) => {
    const question = questions.find(({ id }) => id === question_id);
    const chosen = recordsIn(question?.['options']).filter(
      ({ id }) => Array.isArray(option_ids) && option_ids.includes(id),
    );
    const answers = [...chosen.map(({ label }) => label), other].filter((answer) => typeof answer === 'string');
    const header = typeof question?.['header'] === 'string' ? `${question['header']}: ` : '';
    return answers.length === 0 ? [] : [header + answers.join(', ')];
  });
}
