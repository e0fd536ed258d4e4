import type { CreatedWebhook, EventType } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { promptsQuery, tagsQuery } from '../../../shared/api/library-api.ts';
import { createWebhook, webhooksKey } from '../../../shared/api/webhooks-api.ts';
import { messageOf } from '../../../shared/http/api-error.ts';
import { panelClass } from '../../../shared/page/page.tsx';
import { useSession } from '../../../shared/session/session.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { CheckField } from '../../../shared/ui/fields/check-field.tsx';
import { RadioChoices } from '../../../shared/ui/fields/radio-choices.tsx';
import { SelectField } from '../../../shared/ui/fields/select-field.tsx';
import { TextAreaField } from '../../../shared/ui/fields/text-area-field.tsx';
import { TextField } from '../../../shared/ui/fields/text-field.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { eventLabels, headersOf } from './webhook-labels.ts';
import { useChange } from '../../../shared/page/use-change.ts';
import { UnsavedGuard } from '../../../shared/ui/dialogs/unsaved-guard.tsx';

/** Listed here, so that no page loads the schemas of the contract; the type demands each. */
const everyEventType: Record<EventType, true> = {
  'document.created': true,
  'document.ready': true,
  'document.failed': true,
  'document.routed': true,
  'document.unsure': true,
  'extraction.completed': true,
  'extraction.failed': true,
  'extraction.incomplete': true,
  'result.released': true,
  'result.withdrawn': true,
  'proposal.ready': true,
  'approval.waiting': true,
  'run.completed': true,
  'source.failing': true,
  'webhook.disabled': true,
  'budget.exhausted': true,
};
const eventTypes = Object.keys(everyEventType) as EventType[];

interface WebhookFormProps {
  onCreated: (webhook: CreatedWebhook) => void;
  onCancel: () => void;
}

const any = '';

/** Asks for the address and for which events are sent there. */
export function WebhookForm({ onCreated, onCancel }: WebhookFormProps) {
  const { orgId } = useSession();
  const prompts = useQuery(promptsQuery(orgId)).data?.prompts ?? [];
  const tags = useQuery(tagsQuery(orgId)).data?.tags ?? [];
  const [url, setUrl] = useState('');
  const [which, setWhich] = useState<'all' | 'some'>('some');
  const [types, setTypes] = useState<EventType[]>(['result.released']);
  const [promptId, setPromptId] = useState(any);
  const [tagId, setTagId] = useState(any);
  const [include_result, setIncludeResult] = useState(true);
  const [ordered, setOrdered] = useState(false);
  const [keep_answers, setKeepAnswers] = useState(false);
  const [headerText, setHeaderText] = useState('');
  const parsed = headersOf(headerText);
  const creating = useChange(
    () =>
      createWebhook(orgId, {
        url: url.trim(),
        types: which === 'all' ? [] : types,
        ...((promptId !== any || tagId !== any) && {
          filter: { ...(promptId !== any && { prompt_id: promptId }), ...(tagId !== any && { tag_ids: [tagId] }) },
        }),
        include_result,
        ordered,
        keep_answers,
        ...('headers' in parsed && Object.keys(parsed.headers).length > 0 && { headers: parsed.headers }),
      }),
    { refreshes: [webhooksKey(orgId)], onDone: (webhook) => onCreated(webhook) },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    creating.mutate();
  };
  const hasEvents = which === 'all' || types.length > 0;
  return (
    <form onSubmit={submit} aria-label="New webhook" className={`${panelClass} flex flex-col gap-3 p-3`}>
      <UnsavedGuard dirty={(url !== '' || headerText !== '') && !creating.isPending} />
      <TextField
        label="Address"
        type="url"
        required
        maxLength={2_000}
        placeholder="https://example.com/hook"
        value={url}
        onChange={(event) => setUrl(event.target.value)}
      />
      <RadioChoices
        legend="Events"
        value={which}
        options={[
          { value: 'some', label: 'Chosen events' },
          { value: 'all', label: 'All events' },
        ]}
        onChange={setWhich}
      />
      {which === 'some' && (
        <fieldset className="grid gap-2 sm:grid-cols-2">
          <legend className="sr-only">Which events</legend>
          {eventTypes.map((type) => (
            <CheckField
              key={type}
              label={eventLabels[type]}
              checked={types.includes(type)}
              onChange={(on) => setTypes(on ? [...types, type] : types.filter((each) => each !== type))}
            >
              {type}
            </CheckField>
          ))}
        </fieldset>
      )}
      <CheckField label="Send the result with events about one" checked={include_result} onChange={setIncludeResult}>
        Without it the event has ids only.
      </CheckField>
      <details>
        <summary className="cursor-pointer rounded-sm text-sm font-medium">More options</summary>
        <div className="mt-3 flex flex-col gap-3">
          <div className="grid gap-3 sm:grid-cols-2">
            <SelectField
              label="Only results of"
              value={promptId}
              options={[
                { value: any, label: 'Any prompt' },
                ...prompts.map(({ prompt_id, name }) => ({ value: prompt_id, label: name })),
              ]}
              onChange={setPromptId}
            />
            <SelectField
              label="Only documents with"
              value={tagId}
              options={[
                { value: any, label: 'Any tag' },
                ...tags.map(({ tag_id, name }) => ({ value: tag_id, label: name })),
              ]}
              onChange={setTagId}
            />
          </div>
          <CheckField label="In order" checked={ordered} onChange={setOrdered}>
            One event after another: a failing one holds up the next.
          </CheckField>
          <CheckField label="Keep the beginning of answers" checked={keep_answers} onChange={setKeepAnswers}>
            Helps to find out why a receiver fails.
          </CheckField>
          <TextAreaField
            label="Headers"
            code
            rows={2}
            maxLength={20_000}
            placeholder="X-Api-Key: …"
            help="A line for each. Their values are not shown again."
            error={'error' in parsed ? parsed.error : undefined}
            value={headerText}
            onChange={(event) => setHeaderText(event.target.value)}
          />
        </div>
      </details>
      {creating.isError && <Notice tone="bad">{messageOf(creating.error)}</Notice>}
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button
          type="submit"
          look="primary"
          disabled={creating.isPending || url.trim() === '' || !hasEvents || 'error' in parsed}
        >
          Add
        </Button>
      </div>
    </form>
  );
}
