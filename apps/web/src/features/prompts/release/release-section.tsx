import type { Prompt, ReleaseStatus } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { presentPrompt, promptsKey, updatePrompt } from '../../../shared/api/prompts-api.ts';
import { releaseStatusQuery } from '../../../shared/api/release-api.ts';
import { counted } from '../../../shared/formats/counted.ts';
import { formatDay, formatNumber } from '../../../shared/formats/locale.ts';
import { changedParts } from '../../../shared/http/changed-parts.ts';
import { asSeen, seenState } from '../../../shared/http/seen-state.ts';
import { panelClass } from '../../../shared/page/page.tsx';
import { PageSection } from '../../../shared/page/page-section.tsx';
import { useSession } from '../../../shared/session/session.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { DataTable, type TableColumn } from '../../../shared/ui/data-table.tsx';
import { TextField } from '../../../shared/ui/fields/text-field.tsx';
import { textLinkClass } from '../../../shared/ui/text-link.ts';
import { BoundChart } from './bound-chart.tsx';
import { pausedLabel, percentOf, statusSentence } from './release-labels.ts';
import { useChange } from '../../../shared/page/use-change.ts';

/** What of a prompt's results is released without a look, and how many of it can be wrong. */
export function ReleaseSection({ prompt }: { prompt: Prompt }) {
  const promptId = prompt.prompt_id;
  const hasPolicy = Boolean(prompt.release_policy);
  const { orgId, canWrite } = useSession();
  const { data } = useQuery({ ...releaseStatusQuery(orgId, promptId), enabled: hasPolicy });
  const [isEditing, setEditing] = useState(false);
  const status = hasPolicy ? data : null;
  if (status === undefined) return null;
  return (
    <PageSection
      title="Release"
      className="gap-2"
      note={status === null ? 'Results are released by users alone.' : statusSentence(status)}
      actions={
        canWrite &&
        !isEditing && (
          <Button size="small" onClick={() => setEditing(true)}>
            {status === null ? 'Set a policy' : 'Change the policy'}
          </Button>
        )
      }
    >
      {isEditing && <PolicyForm promptId={promptId} status={status} onDone={() => setEditing(false)} />}
      {status !== null && status.audited.documents + status.last_30_days.length > 0 && <Evidence status={status} />}
    </PageSection>
  );
}

function Evidence({ status }: { status: ReleaseStatus }) {
  const { rejudging, paused_because, hasty_share, curve, threshold, max_wrong, last_30_days } = status;
  return (
    <div className={`${panelClass} flex flex-col gap-3 p-3 text-sm`}>
      {paused_because !== undefined && (
        <p className="text-warn">
          {pausedLabel(paused_because)}{' '}
          <Link to="/review" className={textLinkClass}>
            Audit documents in Review
          </Link>
        </p>
      )}
      {rejudging !== undefined && (
        <p>
          {formatNumber(rejudging.done)} of {counted(rejudging.total, 'open result')} judged again.
        </p>
      )}
      {hasty_share > 0.1 && (
        <p className="text-warn">
          {percentOf(hasty_share)} of the audits took less than two seconds. A look in haste proves little.
        </p>
      )}
      {curve.length > 1 && <BoundChart curve={curve} threshold={threshold} maxWrong={max_wrong} />}
      {last_30_days.length > 0 && (
        <DataTable label="The last 30 days" columns={dayColumns} items={last_30_days} keyOf={({ day }) => day} />
      )}
    </div>
  );
}

type Day = ReleaseStatus['last_30_days'][number];

const dayColumns: TableColumn<Day>[] = [
  { label: 'Day', render: ({ day }) => formatDay(day) },
  { label: 'Released', render: ({ released }) => released },
  { label: 'Withdrawn', render: ({ withdrawn }) => withdrawn },
  { label: 'Audited', render: ({ audited }) => audited },
  { label: 'Wrong', render: ({ wrong }) => wrong },
];

const noPolicy: PolicyDraft = { maxWrong: '', confidence: '', sample: '' };

/** Shares as typed, in percent. */
interface PolicyDraft {
  maxWrong: string;
  confidence: string;
  sample: string;
}

function PolicyForm({
  promptId,
  status,
  onDone,
}: {
  promptId: string;
  status: ReleaseStatus | null;
  onDone: () => void;
}) {
  const { orgId } = useSession();
  const [opened] = useState(() => draftOf(status?.policy));
  const [seen] = useState(() => seenState<object>(status === null ? {} : opened));
  const [draft, setDraft] = useState(opened);
  /** The policy as it is now, with what the user has changed in it: a policy is stored as a whole. */
  async function nextPolicy(isSet: boolean) {
    const now = (await presentPrompt(orgId, promptId))?.release_policy;
    const changed = status === null ? draft : changedParts(draft, opened);
    seen.check(isSet ? changed : noPolicy, now ? draftOf(now) : {});
    if (!isSet) return asSeen({ release_policy: null }, { release_policy: now });
    const { maxWrong, confidence, sample } = { ...draftOf(now), ...changed };
    const release_policy = {
      max_wrong: Number(maxWrong) / 100,
      confidence: Number(confidence) / 100,
      sample: Number(sample) / 100,
      unit: now?.unit ?? 'document',
      ...(now?.checks_only === true && { checks_only: true }),
    };
    return asSeen({ release_policy }, { release_policy: now });
  }
  const saving = useChange(async (isSet: boolean) => updatePrompt(orgId, promptId, await nextPolicy(isSet)), {
    refreshes: [promptsKey(orgId)],
    onDone,
    showsError: true,
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate(true);
  };
  const field = (key: keyof PolicyDraft, label: string, help: string) => (
    <TextField
      label={label}
      help={help}
      inputMode="decimal"
      required
      value={draft[key]}
      onChange={({ target }) => setDraft({ ...draft, [key]: target.value })}
    />
  );
  return (
    <form onSubmit={onSubmit} className={`${panelClass} flex flex-col gap-3 p-3`}>
      <div className="grid gap-3 sm:grid-cols-3">
        {field('maxWrong', 'At most wrong, in percent', 'Of the documents that are released without a look.')}
        {field('confidence', 'Confidence, in percent', 'How sure that must be.')}
        {field('sample', 'Audited, in percent', 'The share of documents that users check in any case.')}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" disabled={saving.isPending}>
          Save
        </Button>
        <Button onClick={onDone}>Cancel</Button>
        {status !== null && (
          <Button look="danger" disabled={saving.isPending} onClick={() => saving.mutate(false)}>
            Release by users alone
          </Button>
        )}
      </div>
      {status !== null && (
        <p className="text-sm text-ink-soft">
          Version {status.policy_version}. {counted(status.audited.documents, 'document')} audited so far.
        </p>
      )}
    </form>
  );
}

function draftOf(policy: ReleaseStatus['policy'] | null | undefined): PolicyDraft {
  const { max_wrong = 0.005, confidence = 0.95, sample = 0.02 } = policy ?? {};
  return { maxWrong: percentText(max_wrong), confidence: percentText(confidence), sample: percentText(sample) };
}

const percentText = (share: number) => String(Number((share * 100).toFixed(4)));
