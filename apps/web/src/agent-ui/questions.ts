import { isRecord } from '../shared/http/json-value.ts';
import { callArguments } from './call-labels.ts';
import type { ToolCard } from './chat-state.ts';

export interface Question {
  id: string;
  header: string;
  question_text: string;
  options: { id: string; label: string; description?: string }[];
  multi_select: boolean;
  allow_other: boolean;
}

const text = (value: unknown) => (typeof value === 'string' ? value : '');

/** The questions in a waiting `ask_questions` call, whose ids the server has filled in. */
export function questionsOf(card: ToolCard): Question[] {
  const questions = callArguments(card)['questions'];
  if (!Array.isArray(questions)) return [];
  return questions.filter(isRecord).map((question) => ({
    id: text(question['id']),
    header: text(question['header']),
    question_text: text(question['question_text']),
    multi_select: question['multi_select'] === true,
    allow_other: question['allow_other'] !== false,
    options: (Array.isArray(question['options']) ? question['options'] : []).filter(isRecord).map((option) => ({
      id: text(option['id']),
      label: text(option['label']),
      ...(typeof option['description'] === 'string' ? { description: option['description'] } : {}),
    })),
  }));
}
