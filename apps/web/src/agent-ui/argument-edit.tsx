import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { lazyPart } from '../shared/ui/parts/lazy-part.tsx';
import { toolsQuery, type ChatPlace } from '../shared/api/chat-api.ts';
import { messageOf } from '../shared/http/api-error.ts';
import { Button } from '../shared/ui/button.tsx';
import { Notice } from '../shared/ui/notice.tsx';
import { Spinner } from '../shared/ui/spinner.tsx';
import type { ToolCard } from './chat-state.ts';

/** Loaded with the first edit. */
const ArgumentEditor = lazyPart(async () => ({ default: (await import('./argument-editor.tsx')).ArgumentEditor }));

interface ArgumentEditProps {
  place: ChatPlace;
  className?: string;
  call: Pick<ToolCard, 'name' | 'arguments'>;
  /** Edited arguments that could not be sent, as JSON text. */
  start?: string | undefined;
  onCancel: () => void;
  onApprove: (argumentsText: string) => void;
  /** Receives each change that is not sent yet; undefined if none exists. */
  onDraft?: ((argumentsText: string | undefined) => void) | undefined;
}

/** Loads the tool's schema, then edits the call's arguments. */
export function ArgumentEdit({ className, place, call, start, onCancel, onApprove, onDraft }: ArgumentEditProps) {
  const tools = useQuery(toolsQuery(place));
  const loading = <Spinner label="Loading the editor" className="text-ink-faint" />;
  const schema = tools.data?.tools.find(({ name }) => name === call.name)?.parameters;
  return (
    <div className={className}>
      {tools.isError || (tools.data && !schema) ? (
        <Notice tone="bad" actions={<Button onClick={onCancel}>Back</Button>}>
          {tools.isError ? messageOf(tools.error) : `The server no longer has a tool named ${call.name}.`}
        </Notice>
      ) : schema ? (
        <Suspense fallback={loading}>
          <ArgumentEditor
            argumentsText={call.arguments}
            start={start}
            schema={schema}
            onCancel={onCancel}
            onApprove={onApprove}
            onDraft={onDraft}
          />
        </Suspense>
      ) : (
        loading
      )}
    </div>
  );
}
