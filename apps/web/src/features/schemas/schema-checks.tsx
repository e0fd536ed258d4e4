import type { SchemaCheck } from '@docwright/contract';
import { Plus, Trash2 } from 'lucide-react';
import { Button } from '../../shared/ui/button.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { SelectField } from '../../shared/ui/fields/select-field.tsx';
import { TextField } from '../../shared/ui/fields/text-field.tsx';

const severities = [
  { value: 'error', label: 'Error' },
  { value: 'warning', label: 'Warning' },
];

/** Edits the checks across the fields of a schema. */
export function SchemaChecksField({
  value,
  onChange,
}: {
  value: readonly SchemaCheck[];
  onChange: (checks: SchemaCheck[]) => void;
}) {
  const change = (at: number, part: Partial<SchemaCheck>) =>
    onChange(value.map((check, index) => (index === at ? { ...check, ...part } : check)));
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1 text-sm font-medium">Checks</legend>
      <p className="text-xs text-ink-faint">
        Conditions across fields in CEL, with sum, abs and date: abs(sum(line_items.map(r, r.amount)) - subtotal) {'<='}{' '}
        0.01. Values of a failed check are marked and come first in Review. A check with a missing value does not fail.
      </p>
      {value.map((check, at) => (
        <div key={at} className="flex flex-col gap-2 rounded-md border border-line p-3">
          <div className="flex items-end gap-2">
            <TextField
              label="Id"
              required
              maxLength={64}
              value={check.id}
              className="min-w-0 flex-1"
              onChange={(event) => change(at, { id: event.target.value })}
            />
            <SelectField
              label="Severity"
              value={check.severity}
              options={severities}
              onChange={(severity) => change(at, { severity: severity === 'warning' ? 'warning' : 'error' })}
            />
            <IconButton
              label={`Remove the check ${check.id}`}
              onClick={() => onChange(value.filter((_, index) => index !== at))}
            >
              <Trash2 className="size-4" />
            </IconButton>
          </div>
          <TextField
            label="Condition"
            required
            maxLength={2000}
            spellCheck={false}
            value={check.expression}
            onChange={(event) => change(at, { expression: event.target.value })}
          />
          <TextField
            label="Message if it fails"
            required
            maxLength={300}
            value={check.message}
            onChange={(event) => change(at, { message: event.target.value })}
          />
        </div>
      ))}
      <div>
        <Button
          size="small"
          disabled={value.length >= 50}
          onClick={() =>
            onChange([...value, { id: `check_${value.length + 1}`, expression: '', message: '', severity: 'error' }])
          }
        >
          <Plus aria-hidden className="size-4" /> Add a check
        </Button>
      </div>
    </fieldset>
  );
}

/** Lists the checks of a version. */
export function SchemaChecksList({ checks }: { checks: readonly SchemaCheck[] }) {
  return (
    <ul className="divide-y divide-line text-sm">
      {checks.map(({ id, expression, message, severity }) => (
        <li key={id} className="flex flex-col gap-0.5 px-3 py-2">
          <span>
            {message} <span className="text-ink-soft">({severity})</span>
          </span>
          <code className="font-mono text-xs wrap-anywhere text-ink-soft">{expression}</code>
        </li>
      ))}
    </ul>
  );
}
