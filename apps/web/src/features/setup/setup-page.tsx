import type { AgentConversation, AppliedConversation } from '@docwright/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { ArrowLeft, Rocket } from 'lucide-react';
import { useEffect, useState } from 'react';
import { ApiError } from '../../shared/http/api-error.ts';
import { conversationsKey } from '../../shared/api/pipeline-agent-api.ts';
import { sourceQuery } from '../../shared/api/sources-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { panelClass, BackLink } from '../../shared/page/page.tsx';
import { LoadingPage } from '../../shared/page/loading-page.tsx';
import { deletedSource } from '../../shared/labels/use-source-name.ts';
import { PageKeys } from '../../shared/ui/dialogs/page-keys.tsx';
import { readStored, useStoredValue, writeStored } from '../../shared/ui/browser/stored-value.ts';
import { useMediaQuery } from '../../shared/ui/browser/use-media-query.ts';
import { ApplyDialog } from './apply-dialog.tsx';
import { SetupBoard } from './board/setup-board.tsx';
import { SetupChat } from './chat/setup-chat.tsx';
import { knownUncertainties, setupProposalOf } from './state/setup-entries.ts';
import { SetupHeader } from './setup-header.tsx';
import { useSetup, type Setup } from './state/use-setup.ts';
import { Button } from '../../shared/ui/button.tsx';
import { AppHeader } from '../../shared/page/app-header.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { Skeleton } from '../../shared/ui/skeleton.tsx';
import { ChatLayout, placeholderStyle } from '../../agent-ui/chat-layout.tsx';
import { counted } from '../../shared/formats/counted.ts';

const route = getRouteApi('/setup/$conversationId');
const chatWidths = { key: 'docwright.setup-width', minimum: 340, standard: 460, maximum: 760, maxShare: 45 };
const keys = [
  ['Enter', 'Send the message'],
  ['Esc', 'Stop the agent'],
] as const;

export function SetupPage() {
  const { conversationId } = route.useParams();
  const { orgId } = useSession();
  return <ReadSetup key={`${orgId} ${conversationId}`} conversationId={conversationId} />;
}

function ReadSetup({ conversationId }: { conversationId: string }) {
  const { orgId } = useSession();
  const draftKey = `docwright.setup-draft.${conversationId}`;
  const [draft, setDraft] = useStoredValue(draftKey);
  // A refused message goes back into the draft, before the text written since.
  const onRefused = (message: string) => {
    const since = readStored(draftKey) ?? '';
    setDraft(since === '' ? message : `${message}\n\n${since}`);
  };
  const setup = useSetup(orgId, conversationId, onRefused);
  const { conversation, loadError, reload } = setup;
  if (conversation !== undefined) {
    return <OpenSetup setup={setup} conversation={conversation} draft={draft ?? ''} onDraft={setDraft} />;
  }
  if (loadError === null) return <LoadingSetup />;
  return (
    <LoadingPage
      title="Guided setup"
      back={<BackLink to="/setup">Guided setup</BackLink>}
      error={loadError}
      retry={reload}
    />
  );
}

interface OpenSetupProps {
  setup: Setup;
  conversation: AgentConversation;
  draft: string;
  onDraft: (draft: string) => void;
}

function OpenSetup({ setup, conversation, draft, onDraft }: OpenSetupProps) {
  const { id, source_id, status } = conversation;
  const { state, isRunning } = setup;
  const { orgId, canWrite } = useSession();
  const queryClient = useQueryClient();
  const reading = useQuery({ ...sourceQuery(orgId, source_id), retry: false });
  const source = reading.data;
  const isSourceGone = reading.error instanceof ApiError && reading.error.status === 404;
  const wide = useMediaQuery('(min-width: 1024px)');
  const [tab, setTab] = useState<'agent' | 'setup'>(status === 'active' ? 'agent' : 'setup');
  const [applying, setApplying] = useState(false);
  const name = source?.name ?? (isSourceGone ? deletedSource : 'Guided setup');

  const blocking = knownUncertainties(conversation, state.answering).filter(
    ({ severity, resolved }) => severity === 'blocking' && !resolved,
  );
  const { pipeline } = setupProposalOf(conversation, state.answering);
  const canContinue = canWrite && !isSourceGone;
  const canApply = canContinue && status === 'active' && pipeline !== null && !isRunning;
  const nameKey = `docwright.setup-collection.${id}`;
  const askedName = state.askedName ?? conversation.question?.collection_name;
  useEffect(() => {
    if (askedName !== undefined) writeStored(nameKey, askedName);
  }, [askedName, nameKey]);
  const onApplied = ({ collection_id }: AppliedConversation) => {
    setApplying(false);
    writeStored(nameKey, null);
    setup.show({ ...conversation, status: 'applied', collection_id });
    setTab('setup');
    setup.reload();
    void queryClient.invalidateQueries({ queryKey: [...conversationsKey(orgId), 'list'] });
    void queryClient.invalidateQueries({ queryKey: ['collections', orgId] });
  };

  const chat = (
    <SetupChat
      setup={setup}
      conversation={conversation}
      canWrite={canWrite}
      isSourceGone={isSourceGone}
      draft={draft}
      onDraft={onDraft}
      question={
        canApply && <ApplyCard askedName={askedName} blocking={blocking.length} onApply={() => setApplying(true)} />
      }
    />
  );
  const board = (
    <SetupBoard setup={setup} conversation={conversation} canWrite={canContinue} onApply={() => setApplying(true)} />
  );
  return (
    <>
      <title>{`${name} · Guided setup · Docwright`}</title>
      <PageKeys keys={keys} />
      <SetupHeader
        name={name}
        source={source}
        conversation={{ ...conversation, is_running: isRunning }}
        onAbandoned={setup.show}
      />
      <ChatLayout
        chat={chat}
        board={board}
        isWide={wide}
        widths={chatWidths}
        tabsLabel="Views of the setup"
        tabs={[
          { value: 'agent', label: isRunning ? 'Agent · working…' : 'Agent' },
          { value: 'setup', label: blocking.length > 0 ? `Setup · ${blocking.length} blocking` : 'Setup' },
        ]}
        chatTab="agent"
        tab={tab}
        onTab={setTab}
      />
      {applying && (
        <ApplyDialog
          conversationId={id}
          name={readStored(nameKey) ?? source?.name ?? ''}
          documentCount={source?.document_count}
          blocking={blocking}
          onApplied={onApplied}
          onOutdated={setup.reload}
          onClose={() => setApplying(false)}
        />
      )}
    </>
  );
}

interface ApplyCardProps {
  /** Undefined if the agent proposed a pipeline without asking to apply it. */
  askedName: string | undefined;
  blocking: number;
  onApply: () => void;
}

/** Asks the user to apply the proposed pipeline or to name changes. */
function ApplyCard({ askedName, blocking, onApply }: ApplyCardProps) {
  return (
    <section aria-label="Apply the pipeline?" className="rounded-md border border-warn bg-raised px-2.5 py-2 text-sm">
      <h3 className="flex items-center gap-2 font-medium">
        <Rocket aria-hidden className="size-4 shrink-0 text-warn" />
        <span className="min-w-0 wrap-anywhere">
          {askedName === undefined ? 'A pipeline is proposed' : `Apply it as “${askedName}”?`}
        </span>
      </h3>
      <p className="mt-1 text-ink-soft">Apply it when it does what you want, or say what to change.</p>
      <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button size="small" look="primary" onClick={onApply}>
          Apply…
        </Button>
        {blocking > 0 && <span className="text-xs text-bad">{counted(blocking, 'blocking question')}.</span>}
      </div>
    </section>
  );
}

/** A placeholder with the layout of the setup while it loads. */
function LoadingSetup() {
  const navigate = useNavigate();
  return (
    <>
      <title>Guided setup · Docwright</title>
      <AppHeader>
        <IconButton label="Back to the guided setups" onClick={() => void navigate({ to: '/setup' })}>
          <ArrowLeft aria-hidden className="size-4" />
        </IconButton>
        <h1 className="min-w-0 truncate text-base font-semibold">Guided setup</h1>
      </AppHeader>
      <main className="flex min-h-0 flex-1">
        <output aria-label="Loading" className="flex min-w-0 flex-1">
          <span
            className="flex shrink-0 flex-col gap-3 border-r border-line bg-surface p-4 max-lg:hidden"
            style={placeholderStyle(chatWidths)}
          >
            <Skeleton className="h-9 w-2/5 self-end" />
            <Skeleton className="h-4 w-4/5" />
            <Skeleton className="h-4 w-3/5" />
          </span>
          <span className="mx-auto flex max-w-5xl min-w-0 flex-1 flex-col p-4">
            <span className={`${panelClass} flex h-64 flex-col gap-3 p-4`}>
              <Skeleton className="h-5 w-32" />
              <Skeleton className="h-4 w-3/5" />
            </span>
          </span>
        </output>
      </main>
    </>
  );
}
