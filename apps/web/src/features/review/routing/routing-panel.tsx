import type { Document, Route } from '@docwright/contract';
import { Link } from '@tanstack/react-router';
import { FileText, Scissors, Undo2 } from 'lucide-react';
import { useSession } from '../../../shared/session/session.tsx';
import { TagChips } from '../../../shared/labels/tag-chips.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Choice } from '../../../shared/ui/fields/choice.tsx';
import { KeyCap } from '../../../shared/ui/key-cap.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { ProgressBar } from '../../../shared/ui/progress-bar.tsx';
import { routesBeside, type RoutingChoice } from './routing-choices.ts';
import type { useRoutingQueue } from './use-routing-queue.ts';

interface RoutingPanelProps {
  review: ReturnType<typeof useRoutingQueue>;
  /** Undefined when all are decided. */
  document: Document | undefined;
  routes: readonly Route[];
  choices: readonly RoutingChoice[];
  onDecide: (routeId: string | null) => void;
  onSplit: () => void;
  onMove: (by: -1 | 1) => void;
}

const percent = (confidence: number) => `${Math.round(confidence * 100)} %`;

/** The panel beside the pages: progress, why the document waits, and the decisions. */
export function RoutingPanel(props: RoutingPanelProps) {
  const { review, document, routes, choices, onDecide, onSplit, onMove } = props;
  const { canWrite } = useSession();
  const { done, left, problem, undoLast, lastName } = review;
  const waitsForSplit = document?.routing?.state === 'waiting_split';
  return (
    <section
      aria-label="Where it goes"
      className="flex min-h-0 min-w-0 flex-1 flex-col overflow-auto bg-surface lg:max-w-md lg:border-r lg:border-line short:border-r short:border-line"
    >
      <div className="border-b border-line px-3 py-2 text-sm">
        <p>
          <strong>{done.toLocaleString()}</strong> of {(done + left).toLocaleString()} documents decided
        </p>
        <ProgressBar
          label="Documents decided"
          value={done}
          max={Math.max(done + left, 1)}
          className="mt-1.5 h-1.5 w-full"
        />
      </div>
      {document && (
        <>
          <header className="flex items-center gap-2 border-b border-line px-3 py-2">
            <FileText aria-hidden className="size-4 shrink-0 text-ink-soft" />
            <h2 className="min-w-0 truncate font-semibold" title={document.document_name}>
              <Link
                to="/documents/$documentId"
                params={{ documentId: document.id }}
                className="rounded-sm hover:underline"
              >
                {document.document_name}
              </Link>
            </h2>
            <span className="max-md:hidden">
              <TagChips tagIds={document.tag_ids} />
            </span>
          </header>
          <div className="flex flex-col gap-3 p-3">
            <p className="text-sm text-ink-soft wrap-anywhere">{document.routing?.why}</p>
            {waitsForSplit && canWrite && (
              <Button look="primary" className="h-auto min-h-8 justify-start py-1" onClick={onSplit}>
                <Scissors aria-hidden className="size-4" /> Show where its documents begin <KeyCap name="s" />
              </Button>
            )}
            {canWrite && (
              <ul className="flex flex-col gap-1.5" aria-label="Routes">
                {choices.map(({ key, routeId, label, why, confidence }) => (
                  <li key={key}>
                    <Button
                      className="h-auto min-h-8 w-full justify-start py-1.5 text-left whitespace-normal"
                      onClick={() => onDecide(routeId)}
                    >
                      <KeyCap name={key} />
                      <span className="min-w-0 flex-1 wrap-anywhere">
                        {label}
                        {why !== undefined && <span className="block text-xs font-normal text-ink-soft">{why}</span>}
                      </span>
                      {confidence !== undefined && (
                        <span className="text-sm font-normal text-ink-soft tabular-nums">{percent(confidence)}</span>
                      )}
                    </Button>
                  </li>
                ))}
              </ul>
            )}
            {canWrite && routesBeside(choices, routes).length > 0 && (
              <Choice
                label="Another route"
                value=""
                className="h-8 self-start"
                options={[
                  { value: '', label: 'Another route…' },
                  ...routesBeside(choices, routes).map(({ id, name }) => ({ value: id, label: name })),
                ]}
                onChange={(id) => id !== '' && onDecide(id)}
              />
            )}
            {!canWrite && <Notice>Members and admins decide where documents go.</Notice>}
          </div>
        </>
      )}
      {!document && <p className="p-3 text-sm">All are decided.</p>}
      {problem !== undefined && (
        <div className="px-3 pb-3">
          <Notice tone="bad">{problem}</Notice>
        </div>
      )}
      <footer className="mt-auto flex flex-wrap items-center gap-1.5 border-t border-line px-3 py-2">
        {document && (
          <>
            <Button size="small" look="quiet" onClick={() => onMove(1)}>
              Pass over <KeyCap name="n" />
            </Button>
            <Button size="small" look="quiet" onClick={() => onMove(-1)}>
              Previous <KeyCap name="p" />
            </Button>
          </>
        )}
        {undoLast && (
          <Button
            size="small"
            look="quiet"
            title={`Undo the decision about ${lastName}`}
            onClick={() => void undoLast()}
          >
            <Undo2 aria-hidden className="size-3.5" /> Undo the last <KeyCap name="z" />
          </Button>
        )}
      </footer>
    </section>
  );
}
