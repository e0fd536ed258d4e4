import type { Document, Extraction } from '@docwright/contract';
import { ClipboardList, FileText, MessageSquareText, TableProperties } from 'lucide-react';
import { Suspense, useState, type ReactNode } from 'react';
import { lazyPart } from '../../../shared/ui/parts/lazy-part.tsx';
import { ErrorBoundary } from '../../../shared/ui/parts/error-boundary.tsx';
import { TabPanel, Tabs } from '../../../shared/ui/tabs.tsx';
import { FailedPage } from '../../../shared/page/failed-page.tsx';
import { focusWhenVisible } from '../../../shared/ui/browser/focus-when-visible.ts';
import { tabOf, type DocumentAddress, type DocumentTab } from '../../../shared/addresses/document-address.ts';
import { CenteredSpinner } from '../../../shared/ui/spinner.tsx';

const ExtractionPanel = lazyPart(async () => ({
  default: (await import('../../extraction/extraction-panel.tsx')).ExtractionPanel,
}));
const AgentPanel = lazyPart(async () => ({ default: (await import('../../chat/agent-panel.tsx')).AgentPanel }));

const ProposalBar = lazyPart(async () => ({ default: (await import('./proposal-bar.tsx')).ProposalBar }));
const FormsPanel = lazyPart(async () => ({ default: (await import('../../forms/forms-panel.tsx')).FormsPanel }));

const tabs: { value: DocumentTab; label: ReactNode }[] = [
  { value: 'page', label: <TabLabel icon={<FileText aria-hidden className="size-4" />}>Page</TabLabel> },
  {
    value: 'extraction',
    label: <TabLabel icon={<TableProperties aria-hidden className="size-4" />}>Extraction</TabLabel>,
  },
  { value: 'forms', label: <TabLabel icon={<ClipboardList aria-hidden className="size-4" />}>Forms</TabLabel> },
  { value: 'agent', label: <TabLabel icon={<MessageSquareText aria-hidden className="size-4" />}>Agent</TabLabel> },
];

function TabLabel({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <>
      {icon}
      {children}
    </>
  );
}

interface DocumentPanelProps {
  document: Document;
  /** Undefined while they load. */
  extractions: Extraction[] | undefined;
  extraction: Extraction | undefined;
  address: DocumentAddress;
  onAddress: (patch: DocumentAddress) => void;
  /** The page as a tab of its own, in a window that is too narrow for both. */
  page: ReactNode | undefined;
}

export function DocumentPanel({ document, extractions, extraction, address, onAddress, page }: DocumentPanelProps) {
  const tab = tabOf(address, page !== undefined);
  const isProposed = document.auto_create?.status === 'proposed';
  // A tab is loaded when first opened and stays mounted: a running conversation survives a look at another tab.
  const [openedTabs, setOpenedTabs] = useState(() => new Set([tab]));
  if (!openedTabs.has(tab)) setOpenedTabs(new Set([...openedTabs, tab]));
  const askAgent = () => {
    onAddress({ tab: 'agent' });
    focusWhenVisible('[data-composer]');
  };

  return (
    <Tabs
      label="Document"
      value={tab}
      tabs={page ? tabs : tabs.slice(1)}
      onChange={(next) => onAddress({ tab: next })}
      onPick={(next) => next === 'agent' && focusWhenVisible('[data-composer]')}
    >
      {/* The Agent tab has a banner that says more. */}
      {tab !== 'agent' && isProposed && (
        <Suspense>
          <ProposalBar document={document} />
        </Suspense>
      )}
      {page !== undefined && (
        <TabPanel value="page" shown={tab === 'page'}>
          {page}
        </TabPanel>
      )}
      <TabPanel value="extraction" shown={tab === 'extraction'}>
        {openedTabs.has('extraction') && (
          <Loaded>
            {extractions === undefined ? (
              <Waiting />
            ) : (
              <ExtractionPanel
                document={document}
                extractions={extractions}
                extraction={extraction}
                onChoose={(prompt) => onAddress({ prompt })}
                onAskAgent={askAgent}
              />
            )}
          </Loaded>
        )}
      </TabPanel>
      <TabPanel value="forms" shown={tab === 'forms'}>
        {openedTabs.has('forms') && (
          <Loaded>
            {extractions === undefined ? (
              <Waiting />
            ) : (
              <FormsPanel
                document={document}
                extractions={extractions}
                extraction={extraction}
                shown={tab === 'forms'}
                onChoose={(prompt) => onAddress({ prompt })}
                onAskAgent={askAgent}
              />
            )}
          </Loaded>
        )}
      </TabPanel>
      <TabPanel value="agent" shown={tab === 'agent'}>
        {openedTabs.has('agent') && (
          <Loaded>
            <AgentPanel document={document} shown={tab === 'agent'} threadId={address.thread} onAddress={onAddress} />
          </Loaded>
        )}
      </TabPanel>
    </Tabs>
  );
}

/** Shows a tab whose code is loaded when it is first opened. */
function Loaded({ children }: { children: ReactNode }) {
  return (
    <ErrorBoundary renderFallback={(error, retry) => <FailedPage error={error} retry={retry} />}>
      <Suspense fallback={<Waiting />}>{children}</Suspense>
    </ErrorBoundary>
  );
}

function Waiting() {
  return <CenteredSpinner label="Loading" />;
}
