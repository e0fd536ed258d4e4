import { CheckField } from '../../shared/ui/fields/check-field.tsx';
import { SelectField } from '../../shared/ui/fields/select-field.tsx';
import { TextField } from '../../shared/ui/fields/text-field.tsx';

/** How a prompt reads, and which values are accepted without review. */
export interface ReadingChoice {
  evidence: boolean;
  secondRead: boolean;
  /** Empty for the prompt's own model. */
  secondModel: string;
  accepts: boolean;
  /** Percent, as typed. */
  confirmBelow: string;
  sample: string;
}

interface ReadingFieldsProps {
  value: ReadingChoice;
  modelIds: readonly string[];
  onChange: (value: Partial<ReadingChoice>) => void;
}

/** Fields for evidence, the second read and the review policy. */
export function ReadingFields({ value, modelIds, onChange }: ReadingFieldsProps) {
  const { evidence, secondRead, secondModel, accepts, confirmBelow, sample } = value;
  const models = secondModel === '' || modelIds.includes(secondModel) ? modelIds : [secondModel, ...modelIds];
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 text-sm font-semibold">Reading and review</legend>
      <CheckField
        label="Ask for the words of each value"
        checked={evidence}
        onChange={(on) => onChange({ evidence: on })}
      >
        The model names the words that it took a value from. This finds the place of a text that appears more than once.
      </CheckField>
      <CheckField label="Read twice" checked={secondRead} onChange={(on) => onChange({ secondRead: on })}>
        Doubles the cost: each document is read again in another order, and values that differ are marked for review.
      </CheckField>
      {secondRead && (
        <SelectField
          label="Model of the second read"
          value={secondModel}
          options={[{ value: '', label: 'The same model' }, ...models.map((id) => ({ value: id, label: id }))]}
          onChange={(model) => onChange({ secondModel: model })}
        />
      )}
      <CheckField label="Accept values of low risk" checked={accepts} onChange={(on) => onChange({ accepts: on })}>
        These values are accepted without review, except in documents drawn as a sample.
      </CheckField>
      {accepts && (
        <div className="grid gap-4 sm:grid-cols-2">
          <PercentField
            label="Accept below a risk of"
            value={confirmBelow}
            onChange={(text) => onChange({ confirmBelow: text })}
          />
          <PercentField
            label="Share of documents in the sample"
            value={sample}
            onChange={(text) => onChange({ sample: text })}
          />
        </div>
      )}
    </fieldset>
  );
}

function PercentField({ label, value, onChange }: { label: string; value: string; onChange: (text: string) => void }) {
  return (
    <TextField
      label={`${label} (%)`}
      type="number"
      min={0}
      max={100}
      step="any"
      required
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
