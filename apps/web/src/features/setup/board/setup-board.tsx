import type { AgentConversation } from '@docwright/contract';
import { Link } from '@tanstack/react-router';
import { ChevronRight, Workflow } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { panelClass } from '../../../shared/page/page.tsx';
import { Button, linkButtonClass } from '../../../shared/ui/button.tsx';
import { EmptyState } from '../../../shared/ui/empty-state.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { scrolledByKeys } from '../../../shared/ui/scroll-box.tsx';
import { BoardSection } from './board-section.tsx';
import { PipelineDiagram } from './pipeline-diagram.tsx';
import { knownUncertainties, latestTrial, setupProposalOf } from '../state/setup-entries.ts';
import type { Setup } from '../state/use-setup.ts';
import { SourceAnalysisView } from './source-analysis.tsx';
import { TrialResult } from './trial-result.tsx';
import { UncertaintyList } from './uncertainty-list.tsx';

interface SetupBoardProps {
  setup: Setup;
  conversation: AgentConversation;
  canWrite: boolean;
  onApply: () => void;
}

/** The results of the conversation: open questions, the pipeline, its trial and the analysis of the source. */
export function SetupBoard({ setup, conversation, canWrite, onApply }: SetupBoardProps) {
  const { state, isRunning } = setup;
  const { status, collection_id, source_id, source_analysis } = conversation;
  const { pipeline, before } = setupProposalOf(conversation, state.answering);
  const uncertainties = knownUncertainties(conversation, state.answering);
  const trial = latestTrial(conversation, pipeline);
  const active = status === 'active';
  const [wasActive] = useState(active);
  return (
    <section
      aria-label="The setup"
      {...scrolledByKeys}
      className="min-h-0 min-w-0 flex-1 overflow-y-auto -outline-offset-2"
    >
      <div className="@container mx-auto flex max-w-5xl flex-col gap-4 p-4">
        {status === 'applied' && collection_id !== null && (
          <AppliedNotice collectionId={collection_id} isNew={wasActive} />
        )}
        {status === 'abandoned' && (
          <Notice
            actions={
              canWrite && (
                <Link to="/setup/new" search={{ source: source_id }} className={linkButtonClass('secondary', 'small')}>
                  Start again
                </Link>
              )
            }
          >
            This conversation was abandoned. Its results are kept here.
          </Notice>
        )}
        <UncertaintyList
          uncertainties={uncertainties}
          conversationId={conversation.id}
          canResolve={active && canWrite}
        />
        {pipeline === null ? (
          <NoPipeline isRunning={isRunning} />
        ) : (
          <BoardSection
            title="Pipeline"
            note="How each document is processed. Select a step for details."
            actions={
              active &&
              canWrite && (
                <Button look="primary" disabled={isRunning} onClick={onApply}>
                  Apply…
                </Button>
              )
            }
          >
            <PipelineDiagram pipeline={pipeline} before={before} />
          </BoardSection>
        )}
        {trial && <TrialResult {...trial} isApplied={status === 'applied'} />}
        {source_analysis && <SourceAnalysisView found={source_analysis} />}
      </div>
    </section>
  );
}

interface AppliedNoticeProps {
  collectionId: string;
  /** Whether it was applied while the page was open. */
  isNew: boolean;
}

/** Links to the collection. Right after applying, the link gets the focus, since the Apply button is gone. */
function AppliedNotice({ collectionId, isNew }: AppliedNoticeProps) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isNew) link.current?.focus();
  }, [isNew]);
  return (
    <Notice
      tone="good"
      actions={
        <Link
          ref={link}
          to="/collections/$collectionId"
          params={{ collectionId }}
          className={linkButtonClass('primary', 'small')}
        >
          Open the collection
        </Link>
      }
    >
      The pipeline was applied. Its collection can be searched while it is being indexed.
    </Notice>
  );
}

const steps = ['Parse', 'Extract', 'Chunk', 'Embed', 'Index'];

/** A placeholder for the pipeline. */
function NoPipeline({ isRunning }: { isRunning: boolean }) {
  return (
    <div className={panelClass}>
      <EmptyState icon={Workflow} title={isRunning ? 'Designing the pipeline' : 'No pipeline yet'}>
        {isRunning
          ? 'The agent analyzes the source first. Its proposals appear here.'
          : 'Say what you want to find. The agent designs how to read, split and index the documents, and shows it here.'}
      </EmptyState>
      <p aria-hidden className="flex items-center justify-center gap-1 px-4 pb-8 text-xs text-ink-faint max-sm:hidden">
        {steps.map((name, at) => (
          <span key={name} className="flex items-center gap-1">
            {at > 0 && <ChevronRight className="size-3.5" />}
            <span className="rounded-md border border-dashed border-line-strong px-2 py-1">{name}</span>
          </span>
        ))}
      </p>
    </div>
  );
}
