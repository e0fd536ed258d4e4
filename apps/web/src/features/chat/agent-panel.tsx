import type { Document } from '@docwright/contract';
import { Sparkles } from 'lucide-react';
import { Suspense, useMemo } from 'react';
import { lazyPart } from '../../shared/ui/parts/lazy-part.tsx';
import { StartHints } from '../../agent-ui/start-hints.tsx';
import type { DocumentAddress } from '../../shared/addresses/document-address.ts';
import { isBeingRead } from '../../shared/api/documents-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { focusComposer } from './composer/composer-focus.ts';
import { DocumentConversation } from './document-conversation.tsx';
import { ThreadMenu, useOpenedThread } from './threads/opened-thread.tsx';

const CurrentExtraction = lazyPart(async () => ({
  default: (await import('./current-extraction/current-extraction.tsx')).CurrentExtraction,
}));
const ProposalBanner = lazyPart(async () => ({
  default: (await import('./proposal/proposal-banner.tsx')).ProposalBanner,
}));

interface AgentPanelProps {
  document: Document;
  /** Whether the tab is open: keyboard shortcuts work only then. */
  shown: boolean;
  threadId: string | undefined;
  onAddress: (patch: DocumentAddress) => void;
}

/** Shows the conversation in the URL. A new conversation enters the URL once its first turn has started. */
export function AgentPanel({ document, shown, threadId, onAddress }: AgentPanelProps) {
  const { orgId } = useSession();
  const place = useMemo(() => ({ orgId, documentId: document.id }), [orgId, document.id]);
  const opened = useOpenedThread(place, threadId, onAddress);
  // A new conversation starts with the proposal.
  const refine = () => {
    if (threadId !== undefined) onAddress({ thread: undefined });
    setTimeout(focusComposer);
  };
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <ThreadMenu place={place} threadId={threadId} onOpen={(thread) => onAddress({ thread })} />
      <Suspense>
        {document.auto_create && (
          <ProposalBanner document={document} proposal={document.auto_create} onRefine={refine} />
        )}
        <CurrentExtraction place={place} onShow={(prompt) => onAddress({ prompt })} />
      </Suspense>
      <ReadingNote document={document} />
      <DocumentConversation
        key={opened.ordinal}
        place={place}
        renderHints={(onPick) => <DocumentHints document={document} onPick={onPick} />}
        placeholder="Ask for a schema, an extraction, a change… Mention with @"
        shown={shown}
        threadId={opened.threadId}
        onThread={opened.onThread}
      />
    </div>
  );
}

/** Says that the agent sees nothing of a document that is still being read. */
export function ReadingNote({ document }: { document: Pick<Document, 'state' | 'ocr' | 'duplicate_of'> }) {
  if (!isBeingRead(document)) return null;
  const { ocr } = document;
  const progress = ocr === undefined ? '' : ` (${ocr.pages_done} of ${ocr.page_count} pages)`;
  return (
    <output className="block shrink-0 border-b border-line bg-surface px-3 py-2 text-sm text-ink-soft">
      The text of this document is still being read{progress}. The agent sees nothing of it until then.
    </output>
  );
}

const suggestions = [
  'Create a schema for this document and extract it',
  'What is in this document?',
  'Which schemas and prompts are there?',
];

/** Suggestions for a document with an automatic proposal. */
const refinements = ['What is in this document?', 'Run the extraction again', 'Which schemas and prompts are there?'];

/** Shown in an empty conversation about a document. */
function DocumentHints({ document, onPick }: { document: Document; onPick: (text: string) => void }) {
  const isProposed = document.auto_create?.status === 'proposed';
  return (
    <StartHints
      icon={Sparkles}
      title={isProposed ? 'What should change?' : 'What should I do with this document?'}
      suggestions={isProposed ? refinements : suggestions}
      onPick={onPick}
    >
      The agent can read “{document.document_name}”. Before it changes anything, it shows the change and waits for your
      approval.
    </StartHints>
  );
}
