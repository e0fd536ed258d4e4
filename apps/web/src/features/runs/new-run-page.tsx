import type { DocumentFilter } from '@docwright/contract';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { runsKey, startRun } from '../../shared/api/runs-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Page, BackLink, FormActions } from '../../shared/page/page.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { CheckField } from '../../shared/ui/fields/check-field.tsx';
import { TextAreaField } from '../../shared/ui/fields/text-area-field.tsx';
import { TextField } from '../../shared/ui/fields/text-field.tsx';
import { UnsavedGuard } from '../../shared/ui/dialogs/unsaved-guard.tsx';
import { ChosenList, chosenLabel, type ChosenDocument } from './chosen-documents.tsx';
import { DocumentFilterFields } from './document-filter-fields.tsx';
import { failedFields } from '../../shared/http/failed-fields.ts';
import { MatchCount, matchingErrors, useMatching } from './match-count.tsx';
import { ToolChoices } from './tool-choices.tsx';
import { counted } from '../../shared/formats/counted.ts';
import { RadioChoices } from '../../shared/ui/fields/radio-choices.tsx';
import { PageSection } from '../../shared/page/page-section.tsx';
import { useChange } from '../../shared/page/use-change.ts';

const noneChosen: ChosenDocument[] = [];
const knownFields = ['message', 'filter', 'document_ids', 'auto_approved_tools', 'max_documents'];

export function NewRunPage() {
  const { canWrite } = useSession();
  const chosen = useRouterState({ select: ({ location }) => location.state.chosenDocuments ?? noneChosen });
  if (canWrite) return <NewRunForm chosen={chosen} />;
  return (
    <Page title="New run" back={<BackLink to="/runs">Runs</BackLink>}>
      <Notice>You can view this organization. Members and admins start runs.</Notice>
    </Page>
  );
}

function NewRunForm({ chosen }: { chosen: ChosenDocument[] }) {
  const { orgId } = useSession();
  const navigate = useNavigate();
  const [named, setNamed] = useState(chosen.length > 0);
  const [filter, setFilter] = useState<DocumentFilter>({});
  const [maxDocuments, setMaxDocuments] = useState('');
  const [message, setMessage] = useState('');
  const [tools, setTools] = useState<string[]>([]);
  const [parks, setParks] = useState(true);
  const max = maxDocuments === '' ? {} : { max_documents: Number(maxDocuments) };
  const matches = useMatching({ filter, ...max });
  const starting = useChange(
    () =>
      startRun(orgId, {
        ...(named ? { document_ids: chosen.map(({ id }) => id) } : { filter, ...max }),
        message: message.trim(),
        auto_approved_tools: tools,
        on_ask: parks ? 'park' : 'deny',
      }),
    {
      refreshes: [[...runsKey(orgId), 'list']],
      onDone: (run) => navigate({ to: '/runs/$runId', params: { runId: run.id }, ignoreBlocker: true }),
    },
  );
  const { fields: refused, other } = failedFields(starting.error, knownFields);
  const errors = { ...refused, ...matchingErrors(matches) };
  const count = named ? chosen.length : matches.data?.total;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    starting.mutate();
  };
  return (
    <Page
      title="New run"
      back={<BackLink to="/runs">Runs</BackLink>}
      note="Send one message to many documents. Each gets its own conversation, which you can read and continue."
    >
      <UnsavedGuard dirty={!starting.isSuccess && message !== ''} />
      <form aria-label="New run" onSubmit={onSubmit} className="flex max-w-3xl flex-col gap-6">
        <PageSection title="Which documents">
          {chosen.length > 0 && <WhichDocuments chosen={chosen} named={named} onNamed={setNamed} />}
          {!named && (
            <>
              <DocumentFilterFields
                filter={filter}
                onChange={setFilter}
                error={errors['filter']}
                resultNote="Documents that have no extraction yet."
              />
              <TextField
                label="At most"
                type="number"
                min={1}
                max={1000}
                className="w-40"
                placeholder="1000"
                value={maxDocuments}
                error={errors['max_documents']}
                onChange={(event) => setMaxDocuments(event.target.value)}
              />
              <MatchCount matches={matches} />
            </>
          )}
        </PageSection>
        <TextAreaField
          label="Message"
          required
          rows={5}
          maxLength={20_000}
          value={message}
          error={errors['message']}
          placeholder="Check whether the invoice names a purchase order, and tag it “No order” if not."
          help="The message to the agent for each document."
          onChange={(event) => setMessage(event.target.value)}
        />
        <ToolChoices chosen={tools} onChange={setTools} error={errors['auto_approved_tools']} />
        <CheckField label="Other changes wait in the Inbox" checked={parks} onChange={setParks}>
          You approve or reject them there within seven days, similar ones together. Without this, they are refused at
          once.
        </CheckField>
        {(other ?? errors['document_ids']) !== undefined && (
          <Notice tone="bad">{other ?? errors['document_ids']}</Notice>
        )}
        <FormActions
          cancel={{ to: '/runs' }}
          isDisabled={starting.isPending || message.trim() === '' || count === undefined || count === 0}
        >
          {starting.isPending ? 'Starting…' : startLabel(count)}
        </FormActions>
      </form>
    </Page>
  );
}

function startLabel(count: number | undefined): string {
  if (count === undefined) return 'Start';
  return count === 0 ? 'No document to run on' : `Start on ${counted(count, 'document')}`;
}

interface WhichDocumentsProps {
  chosen: ChosenDocument[];
  named: boolean;
  onNamed: (named: boolean) => void;
}

/** Chooses between the documents chosen in the list and a filter. */
function WhichDocuments({ chosen, named, onNamed }: WhichDocumentsProps) {
  return (
    <div className="flex flex-col gap-2">
      <RadioChoices
        legend="Which documents"
        value={named ? 'chosen' : 'filter'}
        options={[
          { value: 'chosen', label: chosenLabel(chosen) },
          { value: 'filter', label: 'Documents matching a filter' },
        ]}
        onChange={(which) => onNamed(which === 'chosen')}
      />
      {named && <ChosenList chosen={chosen} />}
    </div>
  );
}
