import { CheckField } from '../../../shared/ui/fields/check-field.tsx';
import { SelectField } from '../../../shared/ui/fields/select-field.tsx';
import { TextAreaField } from '../../../shared/ui/fields/text-area-field.tsx';
import { TextField } from '../../../shared/ui/fields/text-field.tsx';
import { fieldOf, type SourceDraft, type SourcePartProps } from './source-draft.ts';

const afterwards: { value: SourceDraft['folder']['afterwards']; label: string }[] = [
  { value: 'leave', label: 'Leave it' },
  { value: 'move_to', label: 'Move it to a folder' },
  { value: 'delete', label: 'Delete it' },
];

/** A folder on the server's disk. */
export function FolderFields({ draft, onChange }: SourcePartProps) {
  const { folder } = draft;
  const change = (part: Partial<SourceDraft['folder']>) => onChange({ folder: { ...folder, ...part } });
  const text = fieldOf(folder, change);
  return (
    <>
      <TextField
        label="Folder"
        required
        maxLength={4_000}
        placeholder="/inlet/scans"
        help="A path on the server, within a directory that its operator has opened to this organization (INLET_DIRS)."
        {...text('path')}
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <SelectField
          label="When a file is a document"
          value={folder.afterwards}
          options={afterwards}
          onChange={(value) => change({ afterwards: value as SourceDraft['folder']['afterwards'] })}
        />
        {folder.afterwards === 'move_to' && (
          <TextField label="Move to" required maxLength={1_000} placeholder="done" {...text('target')} />
        )}
      </div>
      <CheckField
        label="Tag documents by their subfolders"
        checked={folder.subfolderTags}
        onChange={(subfolderTags) => change({ subfolderTags })}
      >
        A tag for each subfolder; tags that do not exist are created.
      </CheckField>
      <details>
        <summary className="cursor-pointer rounded-sm text-sm font-medium">More about the folder</summary>
        <div className="mt-3 flex flex-col gap-3">
          <div className="grid gap-3 sm:grid-cols-2">
            <TextField label="Levels of subfolders" type="number" min={0} max={50} required {...text('depth')} />
            <TextField
              label="Seconds without a change"
              type="number"
              min={0}
              max={3_600}
              required
              help="A file is taken once it has not changed for so long."
              {...text('settleSeconds')}
            />
          </div>
          <TextAreaField
            label="Leave out"
            code
            rows={3}
            maxLength={20_000}
            placeholder={'*.tmp\n.*'}
            help="Names of files and folders, a line for each; * stands for any text. Temporary and hidden files without your own."
            {...text('ignore')}
          />
        </div>
      </details>
    </>
  );
}
