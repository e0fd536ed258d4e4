import type { Approval } from '@docwright/contract';
import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { lazyPart } from '../../shared/ui/parts/lazy-part.tsx';
import { CallChange } from '../../agent-ui/changes/call-change.tsx';
import type { ToolCard } from '../../agent-ui/chat-state.ts';
import { RawJson } from '../../agent-ui/raw-json.tsx';
import { parseJson } from '../../shared/http/json-value.ts';
import { useSession } from '../../shared/session/session.tsx';
import type { ShownEvidence } from '../chat/index.ts';
import { textLinkClass } from '../../shared/ui/text-link.ts';

/** Loaded with the first call that has evidence. */
const CallEvidence = lazyPart(async () => ({
  default: (await import('../chat/approvals/call-evidence.tsx')).CallEvidence,
}));

interface CallDetailsProps {
  call: Approval;
  onEvidence: (callId: string, shown: ShownEvidence) => void;
}

/** Details of one call: its document, its reason, its change and the effect on verified results. */
export function CallDetails({ call, onEvidence }: CallDetailsProps) {
  const { orgId } = useSession();
  const { preview } = call;
  const card: ToolCard = {
    id: call.call_id,
    name: call.tool,
    arguments: call.arguments,
    state: 'waiting',
    ...(call.passages && { passages: call.passages }),
    proposal: { effect: call.effect, summary: call.summary, needs_approval: true, ...(preview && { preview }) },
  };
  const field = preview?.kind === 'field' ? preview.path : undefined;
  const isMeasurable = preview?.kind === 'difference' && preview.evaluation !== undefined;
  return (
    <div className="flex flex-col gap-3 p-4 text-sm">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <h3 className="min-w-0 flex-auto font-medium wrap-anywhere">{call.document_name ?? 'A deleted document'}</h3>
        {call.document_name !== null && (
          <Link
            to="/documents/$documentId"
            params={{ documentId: call.document_id }}
            search={field === undefined ? { tab: 'agent', thread: call.thread_id } : { tab: 'extraction', field }}
            className={textLinkClass}
          >
            {field === undefined ? 'Open the document' : 'Open at its place'}
          </Link>
        )}
      </div>
      {call.said !== undefined && (
        <p className="max-h-40 overflow-auto wrap-anywhere whitespace-pre-line text-ink-soft">{call.said}</p>
      )}
      <CallChange card={card} />
      {isMeasurable && (
        <div className="rounded-md border border-line [&>div]:border-t-0">
          <Suspense>
            <CallEvidence
              key={call.call_id}
              place={{ orgId, documentId: call.document_id }}
              turnId={call.turn_id}
              card={card}
              onEvidence={(shown) => onEvidence(call.call_id, shown)}
            />
          </Suspense>
        </div>
      )}
      <RawJson label="Arguments" value={parseJson(call.arguments) ?? call.arguments} />
    </div>
  );
}
