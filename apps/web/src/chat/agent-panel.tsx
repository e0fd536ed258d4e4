import type { Document } from '@docwright/contract';
import type { DocumentAddress } from '../documents/document-address.ts';

interface AgentPanelProps {
  document: Document;
  /** Whether its tab is in front: keys act only then. */
  shown: boolean;
  threadId: string | undefined;
  onAddress: (patch: DocumentAddress) => void;
}

export function AgentPanel({ document }: AgentPanelProps) {
  return <p>{document.id}</p>;
}
