import { useQuery } from '@tanstack/react-query';
import { schemaListQuery, schemaVersionsQuery } from '../../shared/api/schemas-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { SelectField } from '../../shared/ui/fields/select-field.tsx';

export interface ChosenSchema {
  /** Empty for none. */
  id: string;
  /** Undefined for the newest at the time of saving. */
  version: number | undefined;
}

interface SchemaChoiceProps {
  value: ChosenSchema;
  onChange: (value: ChosenSchema) => void;
}

const newest = 'newest';

/** Chooses the schema of a prompt and its version. */
export function SchemaChoice({ value, onChange }: SchemaChoiceProps) {
  const { orgId } = useSession();
  const list = useQuery(schemaListQuery(orgId, { skip: 0, limit: 100 })).data;
  const versions = useQuery({ ...schemaVersionsQuery(orgId, value.id), enabled: value.id !== '' }).data?.schemas ?? [];
  const schemas = list?.schemas ?? [];
  const isListed = value.id === '' || schemas.some(({ schema_id }) => schema_id === value.id);
  const options = [
    { value: '', label: 'No schema' },
    ...(isListed ? [] : [{ value: value.id, label: versions[0]?.name ?? 'The chosen one' }]),
    ...schemas.map(({ schema_id, name }) => ({ value: schema_id, label: name })),
  ];
  const tooMany = list !== undefined && list.total_count > schemas.length;
  return (
    <div className="flex gap-2">
      <SelectField
        label="Schema"
        className="flex-1"
        value={value.id}
        options={options}
        help={
          tooMany ? `The ${schemas.length} that changed last.` : 'Without a schema, the answer has no fixed fields.'
        }
        onChange={(id) => onChange({ id, version: undefined })}
      />
      {value.id !== '' && (
        <SelectField
          label="Version"
          className="w-36"
          value={value.version ?? newest}
          options={[
            { value: newest, label: 'The newest' },
            ...versions.map(({ schema_version }) => ({
              value: String(schema_version),
              label: `Version ${schema_version}`,
            })),
          ]}
          onChange={(chosen) => onChange({ id: value.id, version: chosen === newest ? undefined : Number(chosen) })}
        />
      )}
    </div>
  );
}
