import type { Document, Route } from '@docwright/contract';
import { canSplit } from '@docwright/documents';
import { isSureSplit } from '@docwright/documents/long';
import type { AuditLog } from '../audit/index.ts';
import type { SplitService } from '../documents/index.ts';
import { arrivalActor, type Actor } from '../identity/index.ts';

interface ArrivalSplitDependencies {
  splitting: (actor: Actor) => Pick<SplitService, 'propose' | 'split'>;
  auditOf: (organizationId: string) => AuditLog;
}

/**
 * Splits a document that arrived, if the routes that took it say so. `waits`: a user decides where its documents begin.
 * Parts are never split again.
 */
export type ArrivalSplit = (
  organizationId: string,
  document: Document,
  arrival: { mode: 'propose' | 'apply'; routes: readonly Pick<Route, 'id'>[]; sourceId: string | undefined },
) => Promise<{ state: 'whole' | 'split' | 'waits'; why: string }>;

export function createArrivalSplit({ splitting, auditOf }: ArrivalSplitDependencies): ArrivalSplit {
  return async (organizationId, document, { mode, routes, sourceId }) => {
    const isPart = document.split_from !== undefined;
    if (isPart || !canSplit(document.mime_type) || (document.page_count ?? 0) < 2) return { state: 'whole', why: '' };
    const actor = arrivalActor(organizationId);
    const service = splitting(actor);
    const { parts } = await service.propose(document.id);
    const isSure = isSureSplit(parts);
    if (parts.length === 1 && isSure) return { state: 'whole', why: '' };
    if (mode === 'propose' || !isSure) {
      const count = parts.length === 1 ? 'one document' : `${parts.length} documents`;
      return { state: 'waits', why: `It seems to hold ${count}${isSure ? '' : ', which is not sure'}.` };
    }
    const callId = `arrival-${document.id}-split`;
    const routeId = routes[0]?.id;
    const source = {
      kind: 'arrival' as const,
      ...(routeId !== undefined && { route_id: routeId }),
      ...(sourceId !== undefined && { source_id: sourceId }),
    };
    const named = parts.map(({ name, pages }) => ({ name, pages }));
    // The same call for each attempt: after a crash the parts are found, not made again.
    await service.split(document.id, named, { call_id: callId, turn_id: callId, source, user_id: actor.userId });
    await auditOf(organizationId).record([
      {
        kind: 'executed',
        actor: actor.userId,
        documentId: document.id,
        callId,
        tool: 'split_document',
        arguments: JSON.stringify({ document_id: document.id, parts: named }),
        success: true,
        headless: true,
        origin: source,
      },
    ]);
    return { state: 'split', why: `It was split into ${parts.length} documents.` };
  };
}
