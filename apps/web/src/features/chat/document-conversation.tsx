import type { AskScope } from '@docwright/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronDown, Hand, Zap } from 'lucide-react';
import { Suspense, useCallback, useEffect, useState, type ReactNode } from 'react';
import { auditKey } from '../../shared/api/audit-api.ts';
import { isOverMany, threadsKey, type ChatPlace } from '../../shared/api/chat-api.ts';
import { usageKey } from '../../shared/api/account/organization-api.ts';
import { approvalsKey } from '../../shared/page/approval-count.tsx';
import { permissionRulesKey, permissionRulesQuery } from '../../shared/api/permission-rules-api.ts';
import { classNames } from '../../shared/ui/class-names.ts';
import { lazyPart } from '../../shared/ui/parts/lazy-part.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { Spinner } from '../../shared/ui/spinner.tsx';
import { applicableRules, automaticLabel } from './approvals/applicable-rules.ts';
import type { UserEntry, ChatNotice } from '../../agent-ui/chat-state.ts';
import { focusComposer } from './composer/composer-focus.ts';
import { ChatComposer } from './composer/composer.tsx';
import { noMentions, useMentionOffer } from './composer/mention-choices.ts';
import { MessageList, type AnswerLook } from './messages/message-list.tsx';
import { DemoHint, ModelChoice, modelOf, useChosenModel } from '../../agent-ui/model-choice.tsx';
import { ReasoningChoice, useChosenReasoning } from '../../agent-ui/reasoning-choice.tsx';
import { staleKeysAfter } from './turn/stale-after.ts';
import { TurnUsage } from './messages/turn-usage.tsx';
import { StopDialog } from '../../agent-ui/stop-dialog.tsx';
import { useApprovalMode, type Approvals } from './approvals/use-approval-mode.ts';
import { usePendingDecisions } from './approvals/use-pending-decisions.tsx';
import { useChat, type OutgoingMessage } from './turn/use-chat.ts';
import { PlanCallsProvider } from '../../agent-ui/changes/plan-calls.tsx';
import { useUndoSync } from './turn/undo-sync.ts';
import { WorkingLine } from '../../agent-ui/conversation-log.tsx';

const ApprovalDialog = lazyPart(async () => ({
  default: (await import('./approvals/approval-dialog.tsx')).ApprovalDialog,
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
  const decisions = usePendingDecisions({ state, place, shown, onDecide: decide });
  useEffect(() => {
    if (state.phase === 'idle' && window.document.activeElement?.closest('[data-card]')) focusComposer();
  }, [state.phase]);

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
            decisionFor={decisions.of}
            decisionLabelFor={decisions.labelOf}
          >
            {decisions.forAll()}
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
        blocked={decisions.blocked}
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

interface ApprovalModeChoiceProps {
  place: ChatPlace;
  threadId: string | undefined;
  approvals: Approvals;
}

/** Shows what the agent runs automatically; opens the dialog to change it. */
function ApprovalModeChoice({ place, threadId, approvals }: ApprovalModeChoiceProps) {
  const [open, setOpen] = useState(false);
  const rules = useQuery(permissionRulesQuery(place.orgId));
  const applicable = applicableRules(rules.data?.permission_rules ?? [], place.documentId, threadId);
  const automatic = automaticLabel(approvals, applicable);
  const Icon = automatic === undefined ? Hand : Zap;
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        className={classNames(
          'inline-flex h-7 min-w-0 items-center gap-1.5 rounded-md px-2 text-sm',
          automatic === undefined ? 'text-ink-soft hover:bg-hover' : 'bg-warn-soft font-medium text-warn',
        )}
      >
        <Icon aria-hidden className="size-3.5 shrink-0" />
        <span className="truncate">{automatic ?? 'Asks before changes'}</span>
        <ChevronDown aria-hidden className="size-3.5 shrink-0" />
      </button>
      {open && (
        <Suspense>
          <ApprovalDialog place={place} approvals={approvals} rules={applicable} onClose={() => setOpen(false)} />
        </Suspense>
      )}
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
