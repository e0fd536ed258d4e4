import { recordsIn, textFrom } from '../shared/http/json-value.ts';
import { callArguments } from './call-labels.ts';
import type { ToolCard } from './chat-state.ts';

export interface ShownQuestion {
  id: string;
  header: string;
  question_text: string;
  options: { id: string; label: string; description?: string }[];
  multi_select: boolean;
  allow_other: boolean;
}

/** The questions of a pending `ask_questions` call; the server has filled in their ids. */
export function questionsOf(card: ToolCard): ShownQuestion[] {
  return recordsIn(callArguments(card)['questions']).map((question) => ({
    id: textFrom(question['id']),
    header: textFrom(question['header']),
    question_text: textFrom(question['question_text']),
    multi_select: question['multi_select'] === true,
    allow_other: question['allow_other'] !== false,
    options: recordsIn(question['options']).map((option) => ({
      id: textFrom(option['id']),
      label: textFrom(option['label']),
      ...(typeof option['description'] === 'string' ? { description: option['description'] } : {}),
    })),
  }));
}
