import type { CallAnswers } from '@docwright/contract';
import type { FormEvent, ReactNode } from 'react';
import { Button } from '../shared/ui/button.tsx';
import { inputClass } from '../shared/ui/fields/text-field.tsx';
import type { ShownQuestion } from './questions.ts';
import { useAnswerDraft } from './drafts/use-answer-draft.ts';

interface QuestionFormProps {
  /** Id of the `ask_questions` call. */
  callId: string;
  questions: ShownQuestion[];
  answered: boolean;
  onAnswer: (answers: CallAnswers) => void;
  /** Further buttons. */
  children?: ReactNode;
}

/** The agent's questions, each with options and a free answer. */
export function QuestionForm({ callId, questions, answered, onAnswer, children }: QuestionFormProps) {
  const { picked, others, setPicked, setOthers } = useAnswerDraft(callId);
  const complete = questions.every(({ id }) => (picked[id]?.length ?? 0) > 0 || (others[id] ?? '').trim() !== '');
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    onAnswer({
      call_id: callId,
      answers: questions.map(({ id }) => {
        const other = (others[id] ?? '').trim();
        return { question_id: id, option_ids: picked[id] ?? [], ...(other === '' ? {} : { other }) };
      }),
    });
  };
  const pick = (question: ShownQuestion, optionId: string, on: boolean) =>
    setPicked((present) => {
      const others = question.multi_select ? (present[question.id] ?? []).filter((id) => id !== optionId) : [];
      return { ...present, [question.id]: on ? [...others, optionId] : others };
    });
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-3 border-t border-line px-2.5 py-2">
      {questions.map((question) => (
        <fieldset key={question.id} className="flex flex-col gap-1">
          <legend className="mb-1 text-sm">
            {question.header !== '' && <strong className="mr-1.5 font-semibold">{question.header}</strong>}
            {question.question_text}
          </legend>
          {question.options.map((option) => (
            <label
              key={option.id}
              className="flex cursor-pointer items-start gap-2 rounded-sm px-1 py-0.5 text-sm hover:bg-hover"
            >
              <input
                type={question.multi_select ? 'checkbox' : 'radio'}
                name={`${callId}-${question.id}`}
                checked={picked[question.id]?.includes(option.id) ?? false}
                onChange={(event) => pick(question, option.id, event.target.checked)}
                className="mt-0.5 accent-accent"
              />
              <span>
                {option.label}
                {option.description !== undefined && (
                  <span className="block text-xs text-ink-faint">{option.description}</span>
                )}
              </span>
            </label>
          ))}
          {(question.allow_other || question.options.length === 0) && (
            <input
              aria-label={`Another answer to: ${question.question_text}`}
              placeholder="Another answer"
              value={others[question.id] ?? ''}
              onChange={(event) => setOthers((present) => ({ ...present, [question.id]: event.target.value }))}
              className={`${inputClass} h-7`}
            />
          )}
        </fieldset>
      ))}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" size="small" disabled={!complete}>
          {answered ? 'Answered' : 'Answer'}
        </Button>
        {children}
      </div>
    </form>
  );
}
