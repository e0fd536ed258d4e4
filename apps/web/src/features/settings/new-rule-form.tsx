import type { PermissionEffect, SimulationAnswer } from '@docwright/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { messageOf } from '../../shared/http/api-error.ts';
import {
  addPermissionRule,
  permissionRulesKey,
  simulatePermissionRule,
} from '../../shared/api/permission-rules-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { panelClass } from '../../shared/page/page.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { SelectField } from '../../shared/ui/fields/select-field.tsx';
import { TextField } from '../../shared/ui/fields/text-field.tsx';
import { effectLabel, ruleBody, type RuleFields } from './rule-labels.ts';
import { formatMoment } from '../../shared/formats/format-document.ts';
import { ScrollBox } from '../../shared/ui/scroll-box.tsx';

const empty: RuleFields = { tool: '', effect: 'ask', path: '', comparison: 'equals', value: '' };
const effects: PermissionEffect[] = ['allow', 'ask', 'deny'];

export function NewRuleForm() {
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  const [fields, setFields] = useState(empty);
  const trying = useMutation({ mutationFn: () => simulatePermissionRule(orgId, ruleBody(fields)) });
  const adding = useMutation({
    mutationFn: () => addPermissionRule(orgId, ruleBody(fields)),
    onSuccess: async () => {
      setFields(empty);
      trying.reset();
      await queryClient.invalidateQueries({ queryKey: permissionRulesKey(orgId) });
    },
  });
  /** What was found out about another rule says nothing of this one. */
  const change = (part: Partial<RuleFields>) => {
    setFields({ ...fields, ...part });
    trying.reset();
    adding.reset();
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    adding.mutate();
  };
  const incomplete = fields.tool.trim() === '' || (fields.path.trim() !== '' && fields.value === '');
  const error = adding.error ?? trying.error;
  return (
    <form onSubmit={onSubmit} aria-label="New rule" className={`${panelClass} flex flex-col gap-3 p-3`}>
      <div className="grid gap-2 sm:grid-cols-[minmax(0,1fr)_10rem]">
        <TextField
          label="Tool"
          required
          maxLength={100}
          placeholder="create_*"
          help="A name, or a pattern with * for any characters."
          value={fields.tool}
          onChange={(event) => change({ tool: event.target.value })}
        />
        <SelectField
          label="What happens"
          value={fields.effect}
          options={effects.map((value) => ({ value, label: effectLabel[value] }))}
          onChange={(effect) => change({ effect: effect as PermissionEffect })}
        />
      </div>
      <div className="grid gap-2 sm:grid-cols-[minmax(0,1fr)_10rem_minmax(0,1fr)]">
        <TextField
          label="Only where (optional)"
          maxLength={200}
          placeholder="name"
          help="An argument, by its dotted path."
          value={fields.path}
          onChange={(event) => change({ path: event.target.value })}
        />
        <SelectField
          label="Compared"
          value={fields.comparison}
          disabled={fields.path.trim() === ''}
          options={[
            { value: 'equals', label: 'is' },
            { value: 'matches', label: 'matches (regex)' },
          ]}
          onChange={(comparison) => change({ comparison: comparison as RuleFields['comparison'] })}
        />
        <TextField
          label="Value"
          disabled={fields.path.trim() === ''}
          value={fields.value}
          onChange={(event) => change({ value: event.target.value })}
        />
      </div>
      {error !== null && <Notice tone="bad">{messageOf(error)}</Notice>}
      {trying.data && <SimulationResult answer={trying.data} />}
      <div className="flex justify-end gap-2">
        <Button disabled={incomplete || trying.isPending} onClick={() => trying.mutate()}>
          Try on past calls
        </Button>
        <Button type="submit" look="primary" disabled={incomplete || adding.isPending}>
          Add the rule
        </Button>
      </div>
    </form>
  );
}

/** What a rule would have changed. */
function SimulationResult({ answer }: { answer: SimulationAnswer }) {
  const { calls, examined, undecidable, truncated } = answer;
  return (
    <div className="flex flex-col gap-2">
      <Notice>
        {examined === 0
          ? 'No past calls to test it against yet.'
          : `This rule would have changed ${calls.length} of ${examined} past calls.`}
        {undecidable > 0 && ` For ${undecidable} nobody can tell: their arguments are kept in part.`}
        {truncated && ' Older calls were left out.'}
      </Notice>
      {calls.length > 0 && (
        <ScrollBox label="Calls that would change">
          <ul className="divide-y divide-line text-sm">
            {calls.map((call) => (
              <li
                key={`${call.turn_id} ${call.call_id}`}
                className="flex flex-wrap justify-between gap-x-3 px-3 py-1.5"
              >
                <span className="font-mono text-xs leading-4.5 wrap-anywhere">{call.tool}</span>
                <span>
                  {effectLabel[call.before]} → <strong className="font-medium">{effectLabel[call.after]}</strong>
                </span>
                <time dateTime={call.at} className="text-ink-soft">
                  {formatMoment(call.at)}
                </time>
              </li>
            ))}
          </ul>
        </ScrollBox>
      )}
    </div>
  );
}
