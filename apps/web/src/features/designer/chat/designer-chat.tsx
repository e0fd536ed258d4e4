import type { Dispatch } from 'react';
import { DemoHint, isDemoModel, ModelChoice, type useChosenModel } from '../../../agent-ui/model-choice.tsx';
import { StopDialog } from '../../../agent-ui/stop-dialog.tsx';
import { forgetAnswerDraft } from '../../../agent-ui/use-answer-draft.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Spinner } from '../../../shared/ui/spinner.tsx';
import { answersResult, imageResult, skippedResult, type CallResult } from '../state/call-answer.ts';
import { conversationEntries } from '../state/conversation-entries.ts';
import { DesignerComposer } from './designer-composer.tsx';
import { DesignerHints } from './designer-hints.tsx';
import { DesignerMessages } from './designer-messages.tsx';
import { DesignerNoticeBox } from '../board/designer-notice.tsx';
import type { DesignerHandle } from '../state/use-designer.ts';
import { undecidedCalls, waitsForPerson, type DesignerState } from '../state/designer-state.ts';
import { ImageRequestCard } from './image-request-card.tsx';
import { QuestionCard } from './question-card.tsx';
import type { DesignerAction } from '../state/designer-reducer.ts';

interface DesignerChatProps {
  designer: DesignerHandle;
  chosen: ReturnType<typeof useChosenModel>;
  draftKey: string;
  /** Where the table is out of sight, all changes can be decided here. */
  decides: boolean;
  /** Leads to a change that waits in the table. */
  onShow: (callId: string) => void;
}

/** The conversation about the columns. What it proposes is decided in the table. */
export function DesignerChat({ designer, chosen, draftKey, decides, onShow }: DesignerChatProps) {
  const { state, dispatch, stop } = designer;
  const running = state.phase === 'thinking';
  const undecided = undecidedCalls(state);
  const ids = undecided.map(({ id }) => id);
  const decide = (approved: boolean) => dispatch({ type: 'decided', ids, approved });
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      {state.history.length === 0 ? (
        <div className="min-h-0 flex-1 overflow-auto">
          <DesignerHints
            hasColumns={state.design.columns.length > 0}
            onPick={(content) => dispatch({ type: 'messageSent', message: { role: 'user', content } })}
          />
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
          {running && (
            <p className="flex items-center gap-2 text-sm text-ink-faint">
              <Spinner label="The agent is working" /> Working…
            </p>
          )}
          {state.notice && <DesignerNoticeBox notice={state.notice} onAgain={() => dispatch({ type: 'goneOn' })} />}
        </DesignerMessages>
      )}
      <StopDialog running={running} onStop={stop} />
      <DesignerComposer
        draftKey={draftKey}
        running={running}
        blocked={blockedBecause(state)}
        onSend={(message) => dispatch({ type: 'messageSent', message })}
        onStop={stop}
      >
        <ModelChoice {...chosen} />
      </DesignerComposer>
      {state.history.length === 0 && chosen.model !== undefined && isDemoModel(chosen.model) && (
        <div className="shrink-0 bg-surface px-3 pb-3">
          <DemoHint />
        </div>
      )}
    </div>
  );
}

/** What the agent asks of the person, one card for each call. */
function Requests({ state, dispatch }: { state: DesignerState; dispatch: Dispatch<DesignerAction> }) {
  const askedBy = [...new Set(state.questions.map(({ tool_call_id }) => tool_call_id))];
  const give = (message: CallResult) => {
    forgetAnswerDraft(message.tool_call_id);
    dispatch({ type: 'callAnswered', message });
  };
  const skip = (callId: string) => give(skippedResult(callId));
  return (
    <>
      {askedBy.map((callId) => (
        <QuestionCard
          key={callId}
          callId={callId}
          questions={state.questions.filter(({ tool_call_id }) => tool_call_id === callId)}
          onAnswer={(answers) => give(answersResult(callId, answers))}
          onSkip={() => skip(callId)}
        />
      ))}
      {state.imageRequests.map((request) => (
        <ImageRequestCard
          key={request.tool_call_id}
          request={request}
          url={state.chosenImages[request.tool_call_id]}
          onChoose={(url) => dispatch({ type: 'imageChosen', callId: request.tool_call_id, url })}
          onShow={(url) => give(imageResult(request.tool_call_id, url))}
          onSkip={() => skip(request.tool_call_id)}
        />
      ))}
    </>
  );
}

function blockedBecause(state: DesignerState): string | undefined {
  if (!waitsForPerson(state)) return undefined;
  const calls = undecidedCalls(state).length;
  if (calls > 0) {
    return `The agent waits for your decision on ${calls === 1 ? 'one change' : `${calls} changes`} in the table; then you can write again.`;
  }
  return state.waiting.length > 0 ? undefined : 'The agent waits for your answer above; then it goes on.';
}
