import type { FeatureFlags } from '@docwright/contract';
import { CheckField } from '../../../shared/ui/fields/check-field.tsx';
import { TextField } from '../../../shared/ui/fields/text-field.tsx';

type Flag = FeatureFlags[string];

export function flagText(value: Flag | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);
}

interface FlagFieldProps {
  name: string;
  value: Flag;
  disabled: boolean;
  onChange: (value: Flag) => void;
}

/** A feature flag, of the kind that it has. */
export function FlagField({ name, value, disabled, onChange }: FlagFieldProps) {
  if (typeof value === 'boolean') {
    return <CheckField label={name} checked={value} disabled={disabled} onChange={onChange} />;
  }
  const isNumber = typeof value === 'number';
  return (
    <TextField
      label={name}
      type={isNumber ? 'number' : 'text'}
      value={value}
      disabled={disabled}
      maxLength={1000}
      onChange={(event) => onChange(isNumber ? Number(event.target.value) : event.target.value)}
    />
  );
}
