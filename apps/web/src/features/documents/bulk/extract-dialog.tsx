import type { BulkEstimate, EstimateDocumentBulkBody, Prompt } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { bulkEstimateQuery } from '../../../shared/api/bulk-api.ts';
import { promptsQuery } from '../../../shared/api/library-api.ts';
import { counted } from '../../../shared/formats/counted.ts';
import { messageOf } from '../../../shared/http/api-error.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { SelectField } from '../../../shared/ui/fields/select-field.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { Spinner } from '../../../shared/ui/spinner.tsx';

interface ExtractDialogProps {
  /** The documents. */
  which: Pick<EstimateDocumentBulkBody, 'query' | 'document_ids'>;
  count: number;
  onClose: () => void;
  /** Without a prompt, each document uses its own. */
  onExtract: (promptId: string | undefined) => void;
}

/** Asks for the prompt of an extraction of many documents, and says what it costs before it starts. */
export function ExtractDialog({ which, count, onClose, onExtract }: ExtractDialogProps) {
  const { orgId } = useSession();
  const prompts = useQuery(promptsQuery(orgId)).data?.prompts ?? [];
  const [picked, setPicked] = useState<string>();
  const own = useQuery(bulkEstimateQuery(orgId, which));
  // If no document has a prompt of its own, the only one is meant.
  const only = own.data?.by_prompt.length === 0 && prompts.length === 1 ? prompts[0]!.prompt_id : '';
  const chosen = picked ?? only;
  const estimate = useQuery(bulkEstimateQuery(orgId, { ...which, ...(chosen !== '' && { prompt_id: chosen }) }));
  const extracted = estimate.data?.by_prompt.reduce((sum, { documents }) => sum + documents, 0);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Extract ${counted(count, 'document')}`}
      description="Values that someone has corrected or verified are kept. You can undo the extraction."
    >
      <SelectField
        label="Prompt"
        value={chosen}
        options={[
          { value: '', label: 'Each document’s own, by its tags' },
          ...prompts.map(({ prompt_id, name }) => ({ value: prompt_id, label: name })),
        ]}
        onChange={setPicked}
      />
      <Estimated lines={estimate.data && estimateLines(estimate.data, prompts)} error={estimate.error} />
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="primary"
          disabled={extracted === undefined || extracted === 0}
          onClick={() => onExtract(chosen === '' ? undefined : chosen)}
        >
          Extract{extracted !== undefined && extracted > 0 && ` ${counted(extracted, 'document')}`}
        </Button>
      </div>
    </Dialog>
  );
}

interface EstimatedProps {
  /** Undefined until they are known. */
  lines: readonly string[] | undefined;
  error: Error | null;
}

function Estimated({ lines, error }: EstimatedProps) {
  return (
    <div className="min-h-16 text-sm" aria-live="polite">
      {lines !== undefined ? (
        <ul className="flex flex-col gap-1">
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      ) : error ? (
        <Notice tone="bad">{messageOf(error)}</Notice>
      ) : (
        <Spinner label="Estimating the cost" className="text-ink-faint" />
      )}
    </div>
  );
}

type PrepareDialogProps = Omit<ExtractDialogProps, 'onExtract'> & {
  onPrepare: () => void;
  /** One document from its own menu, whose preparation has no Undo: its proposal is rejected instead. */
  isSingle?: boolean;
};

/** Shows what preparing many documents by the agent costs, and which are left out, before it starts. */
export function PrepareDialog({ which, count, onClose, onPrepare, isSingle = false }: PrepareDialogProps) {
  const { orgId } = useSession();
  const estimate = useQuery(bulkEstimateQuery(orgId, { ...which, action: 'auto_create' }));
  const prepared = estimate.data?.prepared?.documents;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Prepare ${counted(count, 'document')} automatically`}
      description={
        isSingle
          ? 'The agent proposes a schema, a prompt and an extraction. The proposal waits for your decision.'
          : 'The agent proposes a schema, a prompt and an extraction for each. The proposals wait for your decision. You can undo it.'
      }
    >
      <Estimated lines={estimate.data && prepareLines(estimate.data)} error={estimate.error} />
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" disabled={prepared === undefined || prepared === 0} onClick={onPrepare}>
          Prepare{prepared !== undefined && prepared > 0 && ` ${counted(prepared, 'document')}`}
        </Button>
      </div>
    </Dialog>
  );
}

function prepareLines({ prepared, only_pending_proposal, without_text, duplicates }: BulkEstimate): string[] {
  const { documents = 0, spu_estimated = null, sampled = 0 } = prepared ?? {};
  const cost =
    spu_estimated === null
      ? 'several requests to the model for each; how much they take is known after the first one'
      : `about ${spu_estimated.toLocaleString()} SPU, as the last ${counted(sampled, 'document')} took`;
  return [
    ...(documents > 0 ? [`${counted(documents, 'document')}: ${cost}`] : []),
    ...(only_pending_proposal > 0
      ? [`${counted(only_pending_proposal, 'document')} with a proposal that waits for you: not prepared again`]
      : []),
    ...unreadableLines(without_text),
    ...(duplicates > 0 ? [`${counted(duplicates, 'duplicate')}: not prepared`] : []),
  ];
}

const unreadableLines = (count: number): string[] =>
  count === 0 ? [] : [`${counted(count, 'document')} that could not be read: open them, the reason is there`];

/** The documents of each prompt with their cost, and those that are left out, with what to do. */
export function estimateLines(estimate: BulkEstimate, prompts: readonly Prompt[] = []): string[] {
  const { by_prompt, without_prompt, only_pending_proposal, without_text, duplicates } = estimate;
  const lines = by_prompt.map(({ name, documents, requests, spu_estimated }) => {
    const cost = `about ${spu_estimated.toLocaleString()} SPU`;
    const asked = requests > documents ? `${requests.toLocaleString()} requests, ` : '';
    return `${counted(documents, 'document')} with “${name}”: ${asked}${cost}`;
  });
  if (by_prompt.length > 1) {
    const total = by_prompt.reduce((sum, { spu_estimated }) => sum + spu_estimated, 0);
    lines.push(`Together about ${total.toLocaleString()} SPU`);
  }
  for (const { prompt_id, name } of by_prompt) {
    const newest = prompts.find((each) => each.prompt_id === prompt_id)?.newest_schema_version;
    if (newest !== undefined) lines.push(`“${name}” does not find what version ${newest} of its schema has added`);
  }
  if (without_prompt > 0) {
    lines.push(`${counted(without_prompt, 'document')} without a prompt: choose one above, or tag them`);
  }
  if (only_pending_proposal > 0) {
    lines.push(`${counted(only_pending_proposal, 'document')} with a proposal that waits for you: accept it first`);
  }
  lines.push(...unreadableLines(without_text));
  if (duplicates > 0) lines.push(`${counted(duplicates, 'duplicate')}: not extracted`);
  return lines;
}
