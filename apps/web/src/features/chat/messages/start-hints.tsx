import type { Document } from '@docwright/contract';
import { Sparkles } from 'lucide-react';
import { EmptyState } from '../../../shared/ui/empty-state.tsx';
import { Button } from '../../../shared/ui/button.tsx';

const suggestions = [
  'Create a schema for this document and extract it',
  'What is in this document?',
  'Which schemas and prompts are there?',
];

/** Suggestions for a document with an automatic proposal. */
const refinements = ['What is in this document?', 'Run the extraction again', 'Which schemas and prompts are there?'];

/** Shown in an empty conversation: what the agent does, and suggestions. */
export function StartHints({ document, onPick }: { document: Document; onPick: (text: string) => void }) {
  const isProposed = document.auto_create?.status === 'proposed';
  return (
    <EmptyState
      icon={Sparkles}
      title={isProposed ? 'What should change?' : 'What should I do with this document?'}
      actions={
        <div className="flex w-full flex-col gap-1.5">
          {(isProposed ? refinements : suggestions).map((suggestion) => (
            <Button
              key={suggestion}
              className="h-auto min-h-8 justify-start py-1 text-left whitespace-normal!"
              onClick={() => onPick(suggestion)}
            >
              {suggestion}
            </Button>
          ))}
        </div>
      }
    >
      The agent can read “{document.document_name}” right away. Before it changes anything, it shows the change and
      waits for your approval.
    </EmptyState>
  );
}
