import { getRouteApi } from '@tanstack/react-router';
import { MessageCircleQuestionMark } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { ChatLayout } from '../../agent-ui/chat-layout.tsx';
import { StartHints } from '../../agent-ui/start-hints.tsx';
import { readAskSearch, scopeOf, type AskSearch } from '../../shared/addresses/ask-search.ts';
import { AppHeader } from '../../shared/page/app-header.tsx';
import { useSession } from '../../shared/session/session.tsx';
import { useMediaQuery } from '../../shared/ui/browser/use-media-query.ts';
import { PageKeys } from '../../shared/ui/dialogs/page-keys.tsx';
import { DocumentConversation, ThreadMenu, useOpenedThread, type AnswerLook } from '../chat/index.ts';
import { answerWithFootnotes, AnswerWithSources } from './answer/answer-with-sources.tsx';
import { ScopeButton, ScopeNote } from './scope/scope-button.tsx';
import { SourcesPanel } from './sources/sources-panel.tsx';
import { SourcesProvider } from './sources/sources.tsx';

const route = getRouteApi('/ask');
const widths = { key: 'docwright.ask-width', minimum: 340, standard: 560, maximum: 900, maxShare: 60 };
const keys = [
  ['Enter', 'Send the question'],
  ['Esc', 'Stop the answer'],
  ['Y N E', 'Approve, reject or edit a call'],
] as const;

const suggestions = [
  'Which fields do the results have?',
  'What is the total, by supplier and currency?',
  'Which documents are the latest?',
];

const look: AnswerLook = {
  render: (entry, question, isOpen) => <AnswerWithSources entry={entry} question={question} isOpen={isOpen} />,
  copy: (entry) => answerWithFootnotes(entry, window.location.origin),
  note: ({ scope }) => scope && <ScopeNote scope={scope} />,
};

/** Questions over many documents: the conversation, and beside it the documents that the answer cites. */
export function AskPage() {
  const { orgId } = useSession();
  return <AskIn key={orgId} orgId={orgId} />;
}

function AskIn({ orgId }: { orgId: string }) {
  const rawSearch = route.useSearch();
  // The router keeps invalid and unknown parameters beside the validated ones.
  const search = useMemo(() => readAskSearch({ ...rawSearch }), [rawSearch]);
  const navigate = route.useNavigate();
  const place = useMemo(() => ({ orgId, documentId: '' }), [orgId]);
  const onAddress = useCallback(
    (patch: AskSearch) => void navigate({ search: (present) => ({ ...present, ...patch }), replace: true }),
    [navigate],
  );
  const isWide = useMediaQuery('(min-width: 1024px)');
  const opened = useOpenedThread(place, search.thread, onAddress, isWide ? 'wide' : 'narrow');
  const scope = useMemo(() => scopeOf(search), [search]);
  const [tab, setTab] = useState<'answer' | 'sources'>('answer');
  const showSources = useCallback(() => setTab('sources'), []);
  const chat = (
    <section aria-label="Conversation about many documents" className="flex min-h-0 min-w-0 flex-1 flex-col">
      <ThreadMenu place={place} threadId={search.thread} onOpen={(thread) => onAddress({ thread })} />
      <div className="flex shrink-0 items-center gap-1 border-b border-line px-3 py-1 text-sm text-ink-soft">
        <ScopeButton search={search} scope={scope} onScope={(next) => void navigate({ search: next, replace: true })} />
      </div>
      <DocumentConversation
        key={opened.ordinal}
        place={place}
        renderHints={(onPick) => (
          <StartHints
            icon={MessageCircleQuestionMark}
            title="What do you want to know?"
            suggestions={suggestions}
            onPick={onPick}
          >
            Answers come from results and pages of your documents. Each sentence is checked against what it cites.
          </StartHints>
        )}
        placeholder="Ask about many documents…"
        scope={scope}
        look={look}
        shown={isWide || tab === 'answer'}
        threadId={opened.threadId}
        onThread={opened.onThread}
      />
    </section>
  );
  return (
    <SourcesProvider key={opened.ordinal} onOpen={showSources}>
      <title>Ask · Docwright</title>
      <PageKeys keys={keys} />
      <AppHeader full>
        <h1 className="min-w-0 truncate text-base font-semibold">Ask</h1>
        <span className="truncate text-sm text-ink-soft max-md:hidden">Answers over many documents, checked</span>
      </AppHeader>
      <ChatLayout
        chat={chat}
        board={<SourcesPanel place={place} threadId={search.thread} />}
        isWide={isWide}
        widths={widths}
        tabsLabel="Views of the answer"
        tabs={[
          { value: 'answer', label: 'Answer' },
          { value: 'sources', label: 'Sources' },
        ]}
        chatTab="answer"
        tab={tab}
        onTab={setTab}
      />
    </SourcesProvider>
  );
}
