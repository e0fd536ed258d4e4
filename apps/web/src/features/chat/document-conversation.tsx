import type { AskScope, CallDecision } from '@docwright/contract';
import { Suspense, useCallback, useEffect, useMemo, type ReactNode } from 'react';
import { lazyPart } from '../../shared/ui/parts/lazy-part.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { auditKey } from '../../shared/api/audit-api.ts';
import { isOverMany, threadsKey, type ChatPlace } from '../../shared/api/chat-api.ts';
import { usageKey } from '../../shared/api/account/organization-api.ts';
import { approvalsKey } from '../../shared/page/approval-count.tsx';
import { useSession } from '../../shared/session/session.tsx';
import { permissionRulesKey } from '../../shared/api/permission-rules-api.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { Spinner } from '../../shared/ui/spinner.tsx';
import { ApprovalModeChoice } from './approvals/approval-mode-choice.tsx';
import { CardDecision } from './approvals/card-decision.tsx';
import { pendingCards, type ToolCard, type UserEntry, type ChatNotice } from '../../agent-ui/chat-state.ts';
import { focusComposer } from './composer/composer-focus.ts';
import { ChatComposer } from './composer/composer.tsx';
import { blockedReason, decisionLabel, isQuestion, undecided } from './approvals/decision-batch.ts';
import { noMentions, useMentionOffer } from './composer/mention-choices.ts';
import { MessageList, type AnswerLook } from './messages/message-list.tsx';
import { DemoHint, ModelChoice, modelOf, useChosenModel } from '../../agent-ui/model-choice.tsx';
import { ReasoningChoice, useChosenReasoning } from '../../agent-ui/reasoning-choice.tsx';
import { questionsOf } from '../../agent-ui/questions.ts';
import { staleKeysAfter } from './turn/stale-after.ts';
import { TurnUsage } from './messages/turn-usage.tsx';
import { StopDialog } from '../../agent-ui/stop-dialog.tsx';
import { clearAnswerDraft } from '../../agent-ui/drafts/use-answer-draft.ts';
import { useApprovalMode } from './approvals/use-approval-mode.ts';
import { approvable, useBatchDecision } from './approvals/use-batch-decision.ts';
import { useChat, type OutgoingMessage } from './turn/use-chat.ts';
import { PlanCallsProvider } from '../../agent-ui/changes/plan-calls.tsx';
import { useCallEvidence } from './approvals/use-call-evidence.ts';
import { usePlanDrafts } from './approvals/use-plan-drafts.tsx';
import { focusCard, useDecisionKeys } from '../../agent-ui/use-decision-keys.ts';
import { useUndoSync } from './turn/undo-sync.ts';
import { WorkingLine } from '../../agent-ui/conversation-log.tsx';

const CallEvidence = lazyPart(async () => ({
  default: (await import('./approvals/call-evidence.tsx')).CallEvidence,
}));

const isMeasurable = ({ proposal }: ToolCard): boolean =>
  proposal?.preview?.kind === 'difference' && proposal.preview.evaluation !== undefined;

const QuestionForm = lazyPart(async () => ({
  default: (await import('../../agent-ui/question-form.tsx')).QuestionForm,
}));

interface DocumentConversationProps {
  place: ChatPlace;
  /** Shown while the conversation is empty; `onPick` sends a message. */
  renderHints: (onPick: (text: string) => void) => ReactNode;
  placeholder: string;
  /** Of questions over many documents: what the next message is about. */
  scope?: AskScope | undefined;
  /** How answers look, if not as plain Markdown. */
  look?: AnswerLook;
  shown: boolean;
  threadId: string | undefined;
  onThread: (threadId: string) => void;
}

export function DocumentConversation(props: DocumentConversationProps) {
  const { place, renderHints, placeholder, scope, look, shown, threadId, onThread } = props;
  const queryClient = useQueryClient();
  const { organization } = useSession();
  const onToolResult = useCallback(
    (toolName: string) => {
      for (const queryKey of staleKeysAfter(toolName, place)) void queryClient.invalidateQueries({ queryKey });
    },
    [queryClient, place],
  );
  const onPause = useCallback(() => {
    const { orgId } = place;
    const keys = [threadsKey(place), auditKey(place), permissionRulesKey(orgId), usageKey(orgId), approvalsKey(orgId)];
    for (const queryKey of [...keys, ...staleKeysAfter('run_extraction', place)])
      void queryClient.invalidateQueries({ queryKey });
  }, [queryClient, place]);
  const reader = { place, threadId, onThread, onToolResult, onPause };
  const { state, unsent, loading, loadError, send, decide, stop, reload } = useChat(reader);
  useUndoSync(place);
  const chosen = useChosenModel();
  const thinking = useChosenReasoning(state.threadId ?? threadId);
  const mentions = useMentionOffer(place.orgId);
  const offer = isOverMany(place) ? noMentions : mentions;
  const approvals = useApprovalMode(place.documentId);
  const pending = useMemo(() => pendingCards(state), [state]);
  const batch = useBatchDecision(pending, (decisions, answers) => {
    for (const { call_id } of answers) clearAnswerDraft(call_id);
    decide(decisions, answers);
  });
  const plans = usePlanDrafts(pending);
  const evidence = useCallEvidence();
  /** An approval names the evaluation it is based on, if that is still current. */
  const choose = (decisions: CallDecision[]) =>
    batch.choose(
      decisions.map((decision) => {
        const evaluation_id = decision.arguments === undefined ? evidence.evaluationOf(decision.call_id) : undefined;
        const withSteps = plans.withSteps(decision);
        return decision.approved && evaluation_id !== undefined ? { ...withSteps, evaluation_id } : withSteps;
      }),
    );
  const open = undecided(pending, batch.choices);
  useDecisionKeys({
    enabled: shown && approvable(pending).length > 0,
    pending: approvable(open).map(({ id }) => id),
    onApprove: (callId) => plans.remainingStepsOf(callId) !== 0 && choose([{ call_id: callId, approved: true }]),
    onReject: (callId) => batch.setDraft({ callId, kind: 'reason' }),
    onEdit: (callId) => plans.remainingStepsOf(callId) === undefined && batch.setDraft({ callId, kind: 'arguments' }),
  });

  const [firstOpen, openCount] = [open[0]?.id, open.length];
  useEffect(() => {
    // Runs after each decision, because a submitted form disappears together with the focus.
    if (shown && openCount > 0 && firstOpen !== undefined) focusCard(firstOpen);
  }, [shown, firstOpen, openCount]);

  useEffect(() => {
    if (state.phase === 'idle' && window.document.activeElement?.closest('[data-card]')) focusComposer();
  }, [state.phase]);

  const decisionFor = (card: ToolCard): ReactNode =>
    isQuestion(card) ? (
      <Suspense fallback={<Spinner label="Loading the questions" className="m-2 text-ink-faint" />}>
        <QuestionForm
          callId={card.id}
          questions={questionsOf(card)}
          answered={batch.choices.answers.some(({ call_id }) => call_id === card.id)}
          onAnswer={batch.answer}
        />
      </Suspense>
    ) : (
      <>
        {state.turnId !== undefined && isMeasurable(card) && (
          <Suspense fallback={null}>
            <CallEvidence
              place={place}
              turnId={state.turnId}
              card={card}
              onEvidence={(shown) => evidence.show(card.id, shown)}
            />
          </Suspense>
        )}
        {plans.renderSteps(card)}
        <CardDecision
          stepCount={plans.remainingSteps(card)}
          place={place}
          card={card}
          isStale={evidence.isStale(card.id)}
          isAdmin={organization.role === 'admin'}
          decision={batch.choices.decisions.find(({ call_id }) => call_id === card.id)}
          draft={batch.draft?.callId === card.id ? batch.draft.kind : undefined}
          onDraft={(kind) => batch.setDraft(kind && { callId: card.id, kind })}
          onDecide={(decision) => choose([decision])}
        />
      </>
    );
  const ready = plans.withStepsLeft(approvable(open));
  const decideAll = (approved: boolean) =>
    choose((approved ? ready : approvable(open)).map(({ id }) => ({ call_id: id, approved })));
  const [{ settings }, { model }, { reasoning }] = [approvals, chosen, thinking];
  const sendMessage = useCallback(
    (message: OutgoingMessage) => {
      const ofModel = { ...(model !== undefined && { model }), ...(reasoning !== undefined && { reasoning }) };
      send(message, { ...settings, ...ofModel, ...(scope && { scope }) });
    },
    [send, settings, model, reasoning, scope],
  );
  const sendText = useCallback((text: string) => sendMessage({ text }), [sendMessage]);
  const resend = useCallback(
    (from: number, { text, mentions = [] }: UserEntry) => sendMessage({ text, mentions, from }),
    [sendMessage],
  );
  const lastMessage = state.entries.findLast((entry) => entry.kind === 'user');
  const [running, empty] = [state.phase === 'running', state.entries.length === 0];

  return (
    <>
      {loading || loadError !== undefined ? (
        <div className="flex flex-1 items-start justify-center p-4">
          {loadError === undefined ? (
            <Spinner label="Loading the conversation" className="text-ink-faint" />
          ) : (
            <Notice tone="bad" actions={<Button onClick={() => void reload()}>Try again</Button>}>
              {loadError}
            </Notice>
          )}
        </div>
      ) : empty ? (
        <div className="min-h-0 flex-1 overflow-auto">{renderHints(sendText)}</div>
      ) : (
        <PlanCallsProvider state={state} sendMessage={sendText}>
          <MessageList
            place={place}
            state={state}
            choices={offer.choices}
            {...(look && { look })}
            onResend={state.phase === 'idle' ? resend : undefined}
            decisionFor={decisionFor}
            decisionLabelFor={(card) => decisionLabel(card, batch.choices)}
          >
            {approvable(open).length > 1 && (
              <div className="flex flex-wrap gap-2">
                <Button size="small" look="primary" onClick={() => decideAll(true)}>
                  Approve all {ready.length}
                </Button>
                <Button size="small" onClick={() => decideAll(false)}>
                  Reject all
                </Button>
              </div>
            )}
            {running && !state.thinking && <WorkingLine />}
            {state.notice && (
              <TurnNotice
                notice={state.notice}
                onResend={() => lastMessage?.kind === 'user' && sendMessage(lastMessage)}
                onReload={state.threadId === undefined ? undefined : () => void reload()}
              />
            )}
          </MessageList>
        </PlanCallsProvider>
      )}
      <StopDialog running={running && shown} onStop={stop} />
      {empty && !loading && <DemoHint model={chosen.model} />}
      {!empty && (
        <TurnUsage
          orgId={place.orgId}
          threadId={state.threadId ?? threadId}
          usage={running ? undefined : state.usage}
          context={state.context}
        />
      )}
      <ChatComposer
        draftKey={`docwright.draft.${place.documentId || place.orgId}.${state.threadId ?? threadId ?? 'new'}`}
        running={running}
        {...unsent}
        blocked={blockedReason(open)}
        offer={offer}
        placeholder={placeholder}
        onSend={sendMessage}
        onStop={stop}
      >
        {!isOverMany(place) && (
          <ApprovalModeChoice place={place} threadId={state.threadId ?? threadId} approvals={approvals} />
        )}
        <ModelChoice {...chosen} />
        <ReasoningChoice {...thinking} stored={state.reasoning} model={modelOf(chosen)} />
      </ChatComposer>
    </>
  );
}

interface TurnNoticeProps {
  notice: ChatNotice;
  onResend: () => void;
  onReload: (() => void) | undefined;
}

/** Why a turn ended early, and what the user can do. */
function TurnNotice({ notice, onResend, onReload }: TurnNoticeProps) {
  const { message } = notice;
  switch (notice.status) {
    case 'stopped':
      return (
        <Notice>{message ?? 'You stopped the agent here. Finished steps are kept; write what to do next.'}</Notice>
      );
    case 'max_rounds':
      return (
        <Notice tone="warn">
          The agent reached its limit of rounds in one turn. Write “continue” to let it go on.
        </Notice>
      );
    case 'superseded':
      return <Notice>A newer message replaced this turn.</Notice>;
    case 'decision_refused':
      return <Notice tone="bad">{message ?? 'The decision was not saved.'}</Notice>;
    case 'failed':
    case 'refused':
      return (
        <Notice
          tone="bad"
          actions={
            <span className="flex gap-1.5">
              {onReload && (
                <Button size="small" onClick={onReload}>
                  Reload
                </Button>
              )}
              <Button size="small" onClick={onResend}>
                Send again
              </Button>
            </span>
          }
        >
          {message ?? 'The agent could not continue.'}
        </Notice>
      );
  }
}
