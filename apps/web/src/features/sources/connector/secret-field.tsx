import { TextField } from '../../../shared/ui/fields/text-field.tsx';

interface SecretFieldProps {
  label: string;
  value: string;
  /** Whether one is stored that holds for the host and user of the form. */
  isStored: boolean;
  /** Whether one is stored for another host or user. */
  isElsewhere: boolean;
  required?: boolean;
  onChange: (value: string) => void;
}

/** A secret: what is stored is never shown, and stays if nothing is typed. */
export function SecretField({ label, value, isStored, isElsewhere, required = false, onChange }: SecretFieldProps) {
  return (
    <TextField
      label={label}
      type="password"
      autoComplete="new-password"
      maxLength={8_000}
      required={required && !isStored}
      placeholder={isStored ? 'Stored' : ''}
      help={
        isStored
          ? 'It is stored encrypted. Leave this empty to keep it.'
          : isElsewhere
            ? 'The stored one belongs to another host or user. Type the one for these.'
            : 'It is stored encrypted and not shown again.'
      }
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
