import { SelectField } from '../../shared/ui/fields/select-field.tsx';

interface ExamplesFieldProps {
  value: number;
  disabled?: boolean;
  onChange: (count: number) => void;
}

/** Chooses the number of verified results that the model sees as examples. */
export function ExamplesField({ value, disabled, onChange }: ExamplesFieldProps) {
  return (
    <SelectField
      label="Verified examples"
      value={String(value)}
      disabled={disabled === true}
      options={options}
      help="Results of similar documents that the model sees, up to 1,000 tokens each."
      onChange={(count) => onChange(Number(count))}
    />
  );
}

const options = ['None', '1', '2', '3', '4', '5'].map((label, count) => ({ value: String(count), label }));
