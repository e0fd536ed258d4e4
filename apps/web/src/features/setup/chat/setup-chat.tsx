import type { AgentConversation } from '@docwright/contract';
import { Link } from '@tanstack/react-router';
import { ChevronRight, WandSparkles } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { DemoHint, ModelChoice, useChosenModel } from '../../../agent-ui/model-choice.tsx';
import { StopDialog } from '../../../agent-ui/stop-dialog.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { Spinner } from '../../../shared/ui/spinner.tsx';
import { useMediaQuery } from '../../../shared/ui/browser/use-media-query.ts';
import { TextComposer } from '../../../agent-ui/composer.tsx';
import { setupEntries, unanswered } from '../state/setup-entries.ts';
import { SetupMessages } from './setup-messages.tsx';
import type { SetupNotice } from '../state/setup-state.ts';
import { settingsFor } from '../state/setup-labels.ts';
import type { Setup } from '../state/use-setup.ts';
import { StartHints } from '../../../agent-ui/start-hints.tsx';
import { SettingsLink } from './settings-link.tsx';
import { textLinkClass } from '../../../shared/ui/text-link.ts';

const suggestions = [
  'Make it searchable',
  'Analyze the source first',
  'Build a pipeline that cuts the documents by headings',
];

interface SetupChatProps {
  setup: Setup;
  conversation: AgentConversation;
  canWrite: boolean;
  /** The source was deleted. */
  isSourceGone: boolean;
  draft: string;
  onDraft: (draft: string) => void;
  /** The agent's question to the user, after the last message. */
  question: ReactNode;
}

/** The conversation with the agent that sets up the pipeline. */
export function SetupChat({ setup, conversation, canWrite, isSourceGone, draft, onDraft, question }: SetupChatProps) {
  const { state, isRunning, stop } = setup;
  const chosen = useSetupModel(conversation.model);
  const send = (message: string) => setup.send(message, chosen.model);
  const { answering, notice } = state;
  const entries = setupEntries(conversation, state);
  // On a phone, a field with the focus takes half of the screen.
  const hasKeyboard = useMediaQuery('(min-width: 1024px)');
  const isEmpty = entries.length === 0 && conversation.summary === null;
  const waiting = unanswered(conversation, answering);
  const active = conversation.status === 'active';
  const again = notice?.sent ?? waiting;
  const closed = closedBecause(conversation, canWrite, isSourceGone);
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      {isEmpty && notice === undefined ? (
        <div className="min-h-0 flex-1 overflow-auto">
          {active && canWrite && !isSourceGone && <Hints onPick={send} />}
        </div>
      ) : (
        <SetupMessages entries={entries} above={<Earlier conversation={conversation} />}>
          {isRunning && <WorkingState status={answering?.status} isLost={answering?.phase === 'lost'} />}
          {!isRunning && (notice !== undefined || waiting !== undefined) && (
            <SetupError
              notice={notice}
              isReported={notice !== undefined && entries.at(-1)?.text.includes(notice.message) === true}
              onAgain={again === undefined || !active || !canWrite ? undefined : () => void send(again)}
            />
          )}
          {!isRunning && notice === undefined && waiting === undefined && question}
        </SetupMessages>
      )}
      <StopDialog running={isRunning && canWrite} onStop={stop} />
      {isEmpty && <DemoHint model={chosen.model} />}
      {closed === undefined ? (
        <TextComposer
          label="Message to the agent"
          placeholder="What should people find in this collection?"
          rows={2}
          className="max-h-48 min-h-12 w-full py-2"
          draft={draft}
          onDraft={(next) => onDraft(next ?? '')}
          maxCharacters={10_000}
          running={isRunning}
          takesFocus={isEmpty && hasKeyboard}
          onSend={send}
          onStop={stop}
        >
          <ModelChoice {...chosen} />
        </TextComposer>
      ) : (
        <p className="shrink-0 border-t border-line bg-surface p-3 text-sm text-ink-soft">{closed}</p>
      )}
    </div>
  );
}

function closedBecause(
  { status, source_id, collection_id }: AgentConversation,
  canWrite: boolean,
  isSourceGone: boolean,
): ReactNode {
  if (!canWrite) return 'You can view this organization. Members and admins can set up pipelines.';
  if (status === 'active' && !isSourceGone) return undefined;
  return (
    <>
      {status === 'applied' && collection_id !== null ? (
        <>
          This conversation ended with{' '}
          <Link to="/collections/$collectionId" params={{ collectionId: collection_id }} className={textLinkClass}>
            its collection
          </Link>
          .{' '}
        </>
      ) : status === 'active' ? (
        'The source was deleted, so this conversation is over. '
      ) : (
        'This conversation was abandoned. '
      )}
      <Link to="/setup/new" search={isSourceGone ? {} : { source: source_id }} className={textLinkClass}>
        {isSourceGone ? 'Start another one' : 'Start another one with its source'}
      </Link>
    </>
  );
}

/** The summary of the messages that have expired. */
function Earlier({ conversation: { messages, summary, is_running } }: { conversation: AgentConversation }) {
  if (summary === null || (messages.length > 0 && !is_running)) return null;
  if (messages.length > 1) return null;
  return (
    <details open className="group/earlier rounded-md border border-line bg-raised px-3 py-2 text-sm text-ink-soft">
      <summary className="flex cursor-pointer list-none items-center gap-1 rounded-sm font-medium [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden className="size-3.5 transition-transform group-open/earlier:rotate-90" />
        Earlier conversation
      </summary>
      <p className="mt-1 text-xs text-ink-faint">
        The messages have expired. The agent continues from this summary, the analysis and the pipeline.
      </p>
      <p className="mt-1 max-h-64 overflow-y-auto whitespace-pre-line wrap-anywhere">{summary}</p>
    </details>
  );
}

function WorkingState({ status, isLost }: { status: string | undefined; isLost: boolean }) {
  if (isLost) {
    return (
      <Notice tone="warn">
        The connection was lost. The agent continues; its steps appear as soon as the server answers.
      </Notice>
    );
  }
  return (
    <p className="flex min-w-0 items-center gap-2 text-sm text-ink-soft">
      <Spinner label="The agent is working" />
      <span aria-hidden className="min-w-0 truncate">
        {status ?? 'Working'}…
      </span>
    </p>
  );
}

interface SetupErrorProps {
  notice: SetupNotice | undefined;
  /** Whether the agent's last message already contains the error. */
  isReported: boolean;
  onAgain: (() => void) | undefined;
}

/** Shows an error with a link to its cure and Send again. */
function SetupError({ notice, isReported, onAgain }: SetupErrorProps) {
  const section = notice && settingsFor(notice.code);
  const isStop = notice?.code === 'message_interrupted';
  return (
    <Notice
      tone={isStop ? 'info' : notice === undefined ? 'warn' : 'bad'}
      actions={
        <>
          {section && <SettingsLink section={section} />}
          {onAgain && (
            <Button size="small" onClick={onAgain}>
              Send again
            </Button>
          )}
        </>
      }
    >
      {isReported ? 'Send it again, or rephrase it.' : (notice?.message ?? noAnswer)}
    </Notice>
  );
}

const noAnswer = 'This message got no answer. Earlier results are kept.';

function Hints({ onPick }: { onPick: (text: string) => void }) {
  return (
    <StartHints
      icon={WandSparkles}
      title="What should people find in this collection?"
      suggestions={suggestions}
      onPick={onPick}
    >
      The agent looks at the source, proposes a pipeline and tries it. Nothing is created before you apply it.
    </StartHints>
  );
}

/** The model of the next answer: the one picked here, else the conversation's if it is still offered, else the user's last choice. */
function useSetupModel(conversationModel: string | null): ReturnType<typeof useChosenModel> {
  const { models, model, choose } = useChosenModel();
  const [picked, pick] = useState<string>();
  const offeredModel = [picked, conversationModel].find((id) => models.some((each) => each.id === id));
  return {
    models,
    model: offeredModel ?? model,
    choose(id) {
      pick(id);
      choose(id);
    },
  };
}
