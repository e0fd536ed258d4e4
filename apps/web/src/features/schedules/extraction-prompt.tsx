import { SelectField } from '../../shared/ui/fields/select-field.tsx';
import { useNewestPrompts, usePromptName } from '../../shared/labels/use-prompt-name.ts';

interface ExtractionPromptProps {
  /** Empty: each document's own. */
  value: string;
  error: string | undefined;
  onChange: (promptId: string) => void;
}

/** The prompt that documents are read with, in its newest version at the time. */
export function ExtractionPrompt({ value, error, onChange }: ExtractionPromptProps) {
  const prompts = useNewestPrompts()?.prompts ?? [];
  const nameOf = usePromptName();
  const known = value === '' || prompts.some(({ prompt_id }) => prompt_id === value);
  return (
    <SelectField
      label="Prompt"
      value={value}
      options={[
        { value: '', label: 'Each document’s own' },
        ...(known ? [] : [{ value, label: nameOf(value) }]),
        ...prompts.map(({ prompt_id, name }) => ({ value: prompt_id, label: name })),
      ]}
      error={error}
      help="In its newest version at the time of the run. A document’s own is one that carries a tag of the document."
      onChange={onChange}
    />
  );
}
