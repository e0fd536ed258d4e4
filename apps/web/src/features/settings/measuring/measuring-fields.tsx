import type { EvaluateBeforeApproval } from '@docwright/contract';
import { useState, type FormEvent } from 'react';
import { meQuery } from '../../../shared/api/account/identity-api.ts';
import { changeOrganization } from '../../../shared/api/account/organization-api.ts';
import { messageOf } from '../../../shared/http/api-error.ts';
import { changedParts } from '../../../shared/http/changed-parts.ts';
import { seenState } from '../../../shared/http/seen-state.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { SelectField } from '../../../shared/ui/fields/select-field.tsx';
import { TextField } from '../../../shared/ui/fields/text-field.tsx';
import { useChange } from '../../../shared/page/use-change.ts';
import { UnsavedGuard } from '../../../shared/ui/dialogs/unsaved-guard.tsx';

const modes: { value: EvaluateBeforeApproval; label: string }[] = [
  { value: 'off', label: 'Never' },
  { value: 'ask', label: 'On request' },
  { value: 'auto', label: 'Always' },
];

/** Whether changed prompts and schemas are measured before approval, and the limit for each measurement. */
export function MeasuringFields() {
  const { organization, orgId } = useSession();
  const [opened, setOpened] = useState(organization);
  const [seen] = useState(() => seenState<object>(organization));
  const [mode, setMode] = useState(organization.evaluate_before_approval);
  const [budget, setBudget] = useState(String(organization.evaluation_budget_spu));
  const [askAbove, setAskAbove] = useState(String(organization.evaluation_ask_above));
  const change = changedParts(
    {
      evaluate_before_approval: mode,
      evaluation_budget_spu: Number(budget),
      evaluation_ask_above: Number(askAbove),
    },
    opened,
  );
  const same = Object.keys(change).length === 0;
  const saving = useChange(() => changeOrganization(orgId, change, seen), {
    refreshes: [meQuery.queryKey],
    says: 'Saved.',
    onDone: (saved) => {
      seen.saw(saved);
      setOpened({ ...opened, ...saved });
    },
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <form onSubmit={onSubmit} aria-label="Measured changes" className="flex max-w-xl flex-col gap-3">
      <UnsavedGuard dirty={!same && !saving.isPending} />
      <SelectField
        label="Measure changes before they are approved"
        value={mode}
        options={modes}
        help="“On request” shows Measure on the card. “Always” starts when the agent proposes a change."
        onChange={(value) => setMode(value as EvaluateBeforeApproval)}
      />
      <TextField
        label="Limit for one measurement, in SPU"
        type="number"
        required
        min={0}
        max={1_000_000}
        step={1}
        className="max-w-60"
        help="For measurements started by the agent, by a rule or by “Always”. 0 allows none."
        value={budget}
        error={saving.isError ? messageOf(saving.error) : undefined}
        onChange={(event) => setBudget(event.target.value)}
      />
      <TextField
        label="Ask before the agent measures more documents than"
        type="number"
        required
        min={0}
        max={1000}
        step={1}
        className="max-w-60"
        help="Each document takes one or two model calls."
        value={askAbove}
        onChange={(event) => setAskAbove(event.target.value)}
      />
      <div>
        <Button type="submit" disabled={saving.isPending || same || budget === '' || askAbove === ''}>
          Save
        </Button>
      </div>
    </form>
  );
}
