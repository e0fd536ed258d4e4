import type { Dispatch } from 'react';
import { DemoHint, ModelChoice, type useChosenModel } from '../../../agent-ui/model-choice.tsx';
import { StopDialog } from '../../../agent-ui/stop-dialog.tsx';
import { clearAnswerDraft } from '../../../agent-ui/drafts/use-answer-draft.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { answersResult, imageResult, skippedResult, type CallResult } from '../state/call-answer.ts';
import { conversationEntries } from '../state/conversation-entries.ts';
import { DesignerComposer } from './designer-composer.tsx';
import { DesignerMessages } from './designer-messages.tsx';
import { DesignerNoticeBox } from '../board/designer-notice.tsx';
import type { DesignerHandle } from '../state/use-designer.ts';
import { isPending, undecidedCalls, type DesignerState } from '../state/designer-state.ts';
import type { DesignerAction } from '../state/designer-reducer.ts';
import { Sparkles, Image, CircleQuestionMark } from 'lucide-react';
import type { ImageRequest, AskedQuestion, CallAnswers } from '@docwright/contract';
import { ImagePicker } from './image-picker.tsx';
import { QuestionForm } from '../../../agent-ui/question-form.tsx';
import { WorkingLine } from '../../../agent-ui/conversation-log.tsx';
import { StartHints } from '../../../agent-ui/start-hints.tsx';

interface DesignerChatProps {
  designer: DesignerHandle;
  chosen: ReturnType<typeof useChosenModel>;
  draftKey: string;
  /** Whether all changes can be decided here, because the table is hidden. */
  decides: boolean;
  /** Shows a pending change in the table. */
  onShow: (callId: string) => void;
}

/** The conversation about the columns. Its proposals are decided in the table. */
export function DesignerChat({ designer, chosen, draftKey, decides, onShow }: DesignerChatProps) {
  const { state, dispatch, stop } = designer;
  const running = state.phase === 'thinking';
  const hasColumns = state.design.columns.length > 0;
  const undecided = undecidedCalls(state);
  const ids = undecided.map(({ id }) => id);
  const decide = (approved: boolean) => dispatch({ type: 'decided', ids, approved });
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      {state.history.length === 0 ? (
        <div className="min-h-0 flex-1 overflow-auto">
          <StartHints
            icon={Sparkles}
            title={hasColumns ? 'What should change?' : 'What do you want to know from your documents?'}
            suggestions={hasColumns ? refinements : suggestions}
            onPick={(content) => dispatch({ type: 'messageSent', message: { role: 'user', content } })}
          >
            The agent proposes columns. You approve or decline each of them in the table.
          </StartHints>
        </div>
      ) : (
        <DesignerMessages entries={conversationEntries(state.history)} labels={state.labels} onShow={onShow}>
          <Requests state={state} dispatch={dispatch} />
          {decides && undecided.length > 1 && (
            <div className="flex flex-wrap gap-2">
              <Button size="small" look="primary" onClick={() => decide(true)}>
                Approve all {undecided.length}
              </Button>
              <Button size="small" onClick={() => decide(false)}>
                Decline all
              </Button>
            </div>
          )}
          {running && <WorkingLine />}
          {state.notice && (
            <DesignerNoticeBox notice={state.notice} onContinue={() => dispatch({ type: 'continued' })} />
          )}
        </DesignerMessages>
      )}
      <StopDialog running={running} onStop={stop} />
      {state.history.length === 0 && <DemoHint model={chosen.model} />}
      <DesignerComposer
        draftKey={draftKey}
        running={running}
        blocked={blockedReason(state)}
        onSend={(message) => dispatch({ type: 'messageSent', message })}
        onStop={stop}
      >
        <ModelChoice {...chosen} />
      </DesignerComposer>
    </div>
  );
}

/** The agent's questions and image requests, a card per call. */
function Requests({ state, dispatch }: { state: DesignerState; dispatch: Dispatch<DesignerAction> }) {
  const callIds = [...new Set(state.questions.map(({ tool_call_id }) => tool_call_id))];
  const sendResult = (message: CallResult) => {
    clearAnswerDraft(message.tool_call_id);
    dispatch({ type: 'callAnswered', message });
  };
  const skip = (callId: string) => sendResult(skippedResult(callId));
  return (
    <>
      {callIds.map((callId) => (
        <QuestionCard
          key={callId}
          callId={callId}
          questions={state.questions.filter(({ tool_call_id }) => tool_call_id === callId)}
          onAnswer={(answers) => sendResult(answersResult(callId, answers))}
          onSkip={() => skip(callId)}
        />
      ))}
      {state.imageRequests.map((request) => (
        <ImageRequestCard
          key={request.tool_call_id}
          request={request}
          url={state.chosenImages[request.tool_call_id]}
          onChoose={(url) => dispatch({ type: 'imageChosen', callId: request.tool_call_id, url })}
          onShow={(url) => sendResult(imageResult(request.tool_call_id, url))}
          onSkip={() => skip(request.tool_call_id)}
        />
      ))}
    </>
  );
}

function blockedReason(state: DesignerState): string | undefined {
  if (!isPending(state)) return undefined;
  const calls = undecidedCalls(state).length;
  if (calls > 0) {
    return `Approve or reject the ${calls === 1 ? 'change' : `${calls} changes`} in the table to continue.`;
  }
  return state.waiting.length > 0 ? undefined : 'Answer above to continue.';
}

const suggestions = [
  'I need to extract invoice data',
  'Ask me what I need',
  'Ask me for an example image and propose columns from it',
];
const refinements = ['Show me the columns', 'Which columns are missing?', 'Take many rows from each document'];

interface ImageRequestCardProps {
  request: ImageRequest;
  /** The chosen image, before it is sent. */
  url: string | undefined;
  onChoose: (url: string | undefined) => void;
  onShow: (url: string) => void;
  onSkip: () => void;
}

/** The agent asks for an example image, which is sent to the model only. */
function ImageRequestCard({ request, url, onChoose, onShow, onSkip }: ImageRequestCardProps) {
  return (
    <section aria-label="Example image" className="rounded-md border border-warn bg-raised">
      <h3 className="flex items-center gap-2 px-2.5 py-1.5 text-sm font-medium">
        <Image aria-hidden className="size-4 shrink-0 text-warn" /> Example image
      </h3>
      <div className="flex flex-col gap-2 border-t border-line px-2.5 py-2">
        <p className="text-sm wrap-anywhere">{request.message}</p>
        {url === undefined ? (
          <ImagePicker label="Example image" onImage={onChoose} />
        ) : (
          <img
            src={url}
            alt="What the agent will see"
            className="max-h-48 self-start rounded-md border border-line bg-paper"
          />
        )}
        <div className="flex flex-wrap gap-2">
          <Button
            look="primary"
            size="small"
            disabled={url === undefined}
            onClick={() => url !== undefined && onShow(url)}
          >
            Send to the agent
          </Button>
          {url !== undefined && (
            <Button size="small" onClick={() => onChoose(undefined)}>
              Choose another
            </Button>
          )}
          <Button look="quiet" size="small" onClick={onSkip}>
            Skip
          </Button>
        </div>
        <p className="text-xs text-ink-faint">
          Your browser scales it down and sends it to the model. The server keeps no copy.
        </p>
      </div>
    </section>
  );
}

interface QuestionCardProps {
  /** All questions of the call. */
  questions: AskedQuestion[];
  callId: string;
  onAnswer: (answers: CallAnswers['answers']) => void;
  onSkip: () => void;
}

/** The agent's questions, each with options and a free answer. */
function QuestionCard({ questions, callId, onAnswer, onSkip }: QuestionCardProps) {
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
