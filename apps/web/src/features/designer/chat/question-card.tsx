import type { AskedQuestion, CallAnswers } from '@docwright/contract';
import { CircleQuestionMark } from 'lucide-react';
import { QuestionForm } from '../../../agent-ui/question-form.tsx';
import { Button } from '../../../shared/ui/button.tsx';

interface QuestionCardProps {
  /** All of one call. */
  questions: AskedQuestion[];
  callId: string;
  onAnswer: (answers: CallAnswers['answers']) => void;
  onSkip: () => void;
}

/** The agent's questions, answered by options or in one's own words. */
export function QuestionCard({ questions, callId, onAnswer, onSkip }: QuestionCardProps) {
  return (
    <section aria-label="Questions" className="rounded-md border border-warn bg-raised">
      <h3 className="flex items-center gap-2 px-2.5 py-1.5 text-sm font-medium">
        <CircleQuestionMark aria-hidden className="size-4 shrink-0 text-warn" />
        {questions.length === 1 ? 'A question for you' : `${questions.length} questions for you`}
      </h3>
      <QuestionForm
        callId={callId}
        answered={false}
        onAnswer={({ answers }) => onAnswer(answers)}
        questions={questions.map((question) => ({
          id: question.id,
          header: question.header,
          question_text: question.questionText,
          options: question.options.map(({ id, label, description }) => ({
            id,
            label,
            ...(description === undefined ? {} : { description }),
          })),
          multi_select: question.multiSelect,
          allow_other: question.allowOther,
        }))}
      >
        <Button look="quiet" size="small" onClick={onSkip}>
          Skip
        </Button>
      </QuestionForm>
    </section>
  );
}
