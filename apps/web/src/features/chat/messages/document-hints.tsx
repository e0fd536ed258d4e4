import type { Document } from '@docwright/contract';
import { Sparkles } from 'lucide-react';
import { StartHints } from '../../../agent-ui/start-hints.tsx';

const suggestions = [
  'Create a schema for this document and extract it',
  'What is in this document?',
  'Which schemas and prompts are there?',
];

/** Suggestions for a document with an automatic proposal. */
const refinements = ['What is in this document?', 'Run the extraction again', 'Which schemas and prompts are there?'];

/** Shown in an empty conversation about a document. */
export function DocumentHints({ document, onPick }: { document: Document; onPick: (text: string) => void }) {
  const isProposed = document.auto_create?.status === 'proposed';
  return (
    <StartHints
      icon={Sparkles}
      title={isProposed ? 'What should change?' : 'What should I do with this document?'}
      suggestions={isProposed ? refinements : suggestions}
      onPick={onPick}
    >
      The agent can read “{document.document_name}” right away. Before it changes anything, it shows the change and
      waits for your approval.
    </StartHints>
  );
}
