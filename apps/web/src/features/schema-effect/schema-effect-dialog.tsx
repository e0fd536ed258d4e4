import type { ResponseFormat, SchemaUse, SchemaUser } from '@docwright/contract';
import { useState } from 'react';
import { counted } from '../../shared/formats/counted.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialogs/dialog.tsx';
import { ScrollBox } from '../../shared/ui/scroll-box.tsx';
import { PromptEffect } from './prompt-effect.tsx';
import { SchemaDifference } from './schema-difference.tsx';

interface SchemaEffectDialogProps {
  title: string;
  /** The version that the prompts move to. */
  version: number;
  before: ResponseFormat;
  after: ResponseFormat;
  use: Pick<SchemaUse, 'prompts' | 'total_count'>;
  /** The label of the main button for a number of chosen prompts. */
  actionLabel: (chosen: number) => string;
  /** Whether the action is possible without a prompt. */
  needsPrompt?: boolean;
  onClose: () => void;
  onConfirm: (promptIds: string[]) => void;
}

/** Shows what a change of a schema does before it is saved: the fields, the prompts, their documents, the measured effect. */
export function SchemaEffectDialog({
  title,
  version,
  before,
  after,
  use,
  actionLabel,
  needsPrompt = false,
  onClose,
  onConfirm,
}: SchemaEffectDialogProps) {
  const { prompts, total_count } = use;
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const chosen = prompts.filter(({ prompt_id }) => !left.has(prompt_id));
  const toggle = (id: string) =>
    setLeft((now) => new Set(now.has(id) ? [...now].filter((one) => one !== id) : [...now, id]));
  return (
    <Dialog open wide onOpenChange={(open) => !open && onClose()} title={title} description={consequence(prompts)}>
      <ScrollBox label="Changed fields" className="max-h-40 shrink-0">
        <SchemaDifference before={before.json_schema.schema} after={after.json_schema.schema} />
      </ScrollBox>
      <fieldset className="flex min-h-0 flex-col gap-2">
        <legend className="mb-1 text-sm font-medium">Move to version {version}</legend>
        <ul className="flex flex-col gap-2">
          {prompts.map((prompt) => (
            <PromptEffect
              key={prompt.prompt_id}
              prompt={prompt}
              isChosen={!left.has(prompt.prompt_id)}
              format={after}
              onToggle={() => toggle(prompt.prompt_id)}
            />
          ))}
        </ul>
        {total_count > prompts.length && (
          <p className="text-xs text-ink-soft">{total_count - prompts.length} more prompts stay on their version.</p>
        )}
      </fieldset>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="primary"
          disabled={needsPrompt && chosen.length === 0}
          onClick={() => onConfirm(chosen.map(({ prompt_id }) => prompt_id))}
        >
          {actionLabel(chosen.length)}
        </Button>
      </div>
    </Dialog>
  );
}

function consequence(prompts: readonly SchemaUser[]): string {
  const documents = prompts.reduce((total, prompt) => total + prompt.documents, 0);
  const kept =
    documents === 0 ? '' : ` ${counted(documents, 'document')} keep their results until you extract them again.`;
  return `A prompt uses the new fields once it is moved to the new version.${kept}`;
}
