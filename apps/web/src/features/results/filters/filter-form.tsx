import type { WhereCondition } from '@docwright/contract';
import { useState, type FormEvent } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { SelectField } from '../../../shared/ui/fields/select-field.tsx';
import { TextField } from '../../../shared/ui/fields/text-field.tsx';
import type { ShownColumn } from '../columns/result-columns.ts';
import { choiceOf, conditionChoices, editableText, typedCondition, type ConditionChoice } from './condition-words.ts';

interface FilterFormProps {
  columns: ShownColumn[];
  /** The condition that is changed; undefined for a new one. */
  condition: WhereCondition | undefined;
  onSave: (condition: WhereCondition) => void;
  onClose: () => void;
}

/** Asks for a condition: column, operator in words, value. */
export function FilterForm({ columns, condition, onSave, onClose }: FilterFormProps) {
  const [path, setPath] = useState(condition?.path ?? columns[0]?.path ?? '');
  const column = columns.find((each) => each.path === path) ?? columns[0];
  const [choice, setChoice] = useState<ConditionChoice>(() =>
    condition ? choiceOf(condition) : conditionChoices(column?.kind ?? 'text')[0]![0],
  );
  const [text, setText] = useState(() => editableText(condition?.value ?? null, column?.kind ?? 'text'));
  const [error, setError] = useState<string>();
  if (column === undefined) return null;
  const offered = conditionChoices(column.kind);
  const chosen = offered.some(([known]) => known === choice) ? choice : offered[0]![0];
  const needsValue = chosen !== 'empty' && chosen !== 'filled';
  const value = column.kind === 'boolean' && text !== 'false' ? 'true' : text;
  const chooseColumn = (next: string) => {
    setPath(next);
    setText('');
    setError(undefined);
    setChoice(conditionChoices(columns.find((each) => each.path === next)?.kind ?? 'text')[0]![0]);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const typed = typedCondition(column, chosen, value);
    if ('error' in typed) setError(typed.error);
    else onSave(typed.condition);
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={condition ? 'Change the filter' : 'Add a filter'}>
      <form onSubmit={submit} className="flex flex-col gap-3">
        <SelectField
          label="Column"
          value={column.path}
          options={columns.map((each) => ({ value: each.path, label: each.label }))}
          onChange={chooseColumn}
        />
        <SelectField
          label="Condition"
          value={chosen}
          options={offered.map(([known, label]) => ({ value: known, label }))}
          onChange={(next) => setChoice(next as ConditionChoice)}
        />
        {needsValue &&
          (column.kind === 'boolean' ? (
            <SelectField
              label="Value"
              value={value}
              options={[
                { value: 'true', label: 'Yes' },
                { value: 'false', label: 'No' },
              ]}
              onChange={setText}
            />
          ) : (
            <TextField
              label="Value"
              type={column.kind === 'date' || column.kind === 'moment' ? 'date' : 'text'}
              inputMode={column.kind === 'number' ? 'decimal' : undefined}
              value={text}
              maxLength={500}
              error={error}
              onChange={(event) => {
                setText(event.target.value);
                setError(undefined);
              }}
            />
          ))}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary">
            Apply
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
