import type { PermissionEffect, ProvenanceSource, SimulationAnswer } from '@docwright/contract';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { messageOf } from '../../shared/http/api-error.ts';
import {
  addPermissionRule,
  permissionRulesKey,
  simulatePermissionRule,
} from '../../shared/api/permission-rules-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { panelClass } from '../../shared/page/page.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { SelectField } from '../../shared/ui/fields/select-field.tsx';
import { TextField } from '../../shared/ui/fields/text-field.tsx';
import {
  ruleEffectLabel,
  emptyRule,
  isComplete,
  ruleBody,
  type RuleConditionKind,
  type RuleFields,
} from './rule-labels.ts';
import { argumentSourceLabel } from '../../shared/formats/rule-condition.ts';
import { formatMoment } from '../../shared/formats/format-document.ts';
import { ScrollBox } from '../../shared/ui/scroll-box.tsx';
import { useChange } from '../../shared/page/use-change.ts';
import { UnsavedGuard } from '../../shared/ui/dialogs/unsaved-guard.tsx';

const effects: PermissionEffect[] = ['allow', 'ask', 'deny'];
const sources: ProvenanceSource[] = ['document', 'model', 'catalog', 'person'];
const conditions: { value: RuleConditionKind; label: string }[] = [
  { value: 'always', label: 'always' },
  { value: 'equals', label: 'where an argument is' },
  { value: 'matches', label: 'where an argument matches' },
  { value: 'from', label: 'where an argument comes from' },
  { value: 'measured', label: 'where a measurement shows' },
];

export function NewRuleForm() {
  const { orgId } = useSession();
  const [fields, setFields] = useState(emptyRule);
  const trying = useMutation({ mutationFn: () => simulatePermissionRule(orgId, ruleBody(fields)) });
  const adding = useChange(() => addPermissionRule(orgId, ruleBody(fields)), {
    refreshes: [permissionRulesKey(orgId)],
    onDone: () => {
      setFields(emptyRule);
      trying.reset();
    },
  });
  /** Results for an earlier version of the rule no longer apply. */
  const change = (part: Partial<RuleFields>) => {
    setFields({ ...fields, ...part });
    trying.reset();
    adding.reset();
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    adding.mutate();
  };
  const incomplete = !isComplete(fields);
  const error = adding.error ?? trying.error;
  return (
    <form onSubmit={onSubmit} aria-label="New rule" className={`${panelClass} flex flex-col gap-3 p-3`}>
      <UnsavedGuard dirty={JSON.stringify(fields) !== JSON.stringify(emptyRule) && !adding.isPending} />
      <div className="grid gap-2 sm:grid-cols-[minmax(0,1fr)_12rem]">
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
          options={effects.map((value) => ({ value, label: ruleEffectLabel[value] }))}
          onChange={(effect) => change({ effect: effect as PermissionEffect })}
        />
      </div>
      <RuleCondition fields={fields} onChange={change} />
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

/** Chooses the condition of a rule: the value or source of an argument, or a measurement of the change. */
function RuleCondition({ fields, onChange }: { fields: RuleFields; onChange: (part: Partial<RuleFields>) => void }) {
  const { condition } = fields;
  const measure = (key: 'broken' | 'documents' | 'gain', label: string) => (
    <TextField
      type="number"
      label={label}
      step={key === 'gain' ? 0.1 : 1}
      min={key === 'gain' ? -100 : key === 'documents' ? 1 : 0}
      max={key === 'gain' ? 100 : key === 'documents' ? 200 : undefined}
      value={fields[key]}
      onChange={(event) => onChange({ [key]: event.target.value })}
    />
  );
  return (
    <div className="flex flex-col gap-2">
      <div className={classNames('grid gap-2', condition === 'measured' ? 'sm:grid-cols-2' : 'sm:grid-cols-3')}>
        <SelectField
          label="When"
          value={condition}
          options={conditions}
          onChange={(kind) =>
            onChange({
              condition: kind as RuleConditionKind,
              // The server measures only changes of prompts and schemas, and such a rule can only allow them.
              ...(kind === 'measured' && {
                effect: 'allow',
                tool: ['update_prompt', 'update_schema'].includes(fields.tool) ? fields.tool : 'update_prompt',
              }),
            })
          }
        />
        {condition === 'measured' && (
          <>
            {measure('broken', 'Broken values, at most')}
            {measure('documents', 'Verified documents, at least')}
            {measure('gain', 'Gain in points of accuracy, at least')}
          </>
        )}
        {(condition === 'equals' || condition === 'matches' || condition === 'from') && (
          <TextField
            label="Argument"
            required
            maxLength={200}
            placeholder="name"
            help="By its dotted path; * is any index or key."
            value={fields.path}
            onChange={(event) => onChange({ path: event.target.value })}
          />
        )}
        {(condition === 'equals' || condition === 'matches') && (
          <TextField
            label={condition === 'matches' ? 'Regular expression' : 'Value'}
            required
            value={fields.value}
            onChange={(event) => onChange({ value: event.target.value })}
          />
        )}
        {condition === 'from' && (
          <SelectField
            label="Source"
            value={fields.from}
            options={sources.map((value) => ({ value, label: argumentSourceLabel[value] }))}
            onChange={(from) => onChange({ from: from as ProvenanceSource })}
          />
        )}
      </div>
      {condition === 'from' && (
        <p className="text-xs text-ink-soft">
          A rule that asks or denies holds where any value of the argument came from there; one that allows, where all
          did. What a document has chosen is always asked about.
        </p>
      )}
      {condition === 'measured' && (
        <p className="text-xs text-ink-soft">
          For update_prompt and update_schema. The server measures the change on verified documents; where it shows
          anything else, you are asked.
        </p>
      )}
    </div>
  );
}

/** Shows the past calls that a rule would have changed. */
function SimulationResult({ answer }: { answer: SimulationAnswer }) {
  const { calls, examined, undecidable, truncated } = answer;
  return (
    <div className="flex flex-col gap-2">
      <Notice>
        {examined === 0
          ? 'No past calls to test it against yet.'
          : `This rule would have changed ${calls.length} of ${examined} past calls.`}
        {undecidable > 0 && ` ${undecidable} could not be tested: their arguments are stored in part.`}
        {truncated && ' Older calls were not tested.'}
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
                  {ruleEffectLabel[call.before]} →{' '}
                  <strong className="font-medium">{ruleEffectLabel[call.after]}</strong>
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
