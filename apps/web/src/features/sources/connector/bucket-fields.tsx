import { CheckField } from '../../../shared/ui/fields/check-field.tsx';
import { TextField } from '../../../shared/ui/fields/text-field.tsx';
import { SecretField } from './secret-field.tsx';
import { needsSecretAgain, fieldOf, type SourceDraft, type SourcePartProps } from './source-draft.ts';

/** A bucket of a server that speaks S3. */
export function BucketFields({ draft, former, onChange }: SourcePartProps) {
  const { s3, secret } = draft;
  const change = (part: Partial<SourceDraft['s3']>) => onChange({ s3: { ...s3, ...part } });
  const text = fieldOf(s3, change);
  const isElsewhere = needsSecretAgain(draft, former);
  const hadKey = former?.connector?.kind === 's3' && former.connector.config.access_key_id !== undefined;
  return (
    <>
      <TextField
        label="Endpoint"
        type="url"
        required
        maxLength={2_000}
        placeholder="https://s3.eu-central-1.amazonaws.com"
        {...text('endpoint')}
      />
      <div className="grid gap-3 sm:grid-cols-3">
        <TextField label="Bucket" required maxLength={63} {...text('bucket')} />
        <TextField
          label="Prefix"
          maxLength={1_024}
          placeholder="invoices/"
          help="Only keys that begin so."
          {...text('prefix')}
        />
        <TextField label="Region" required maxLength={100} {...text('region')} />
      </div>
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label="Access key ID"
          autoComplete="off"
          maxLength={200}
          help="It needs s3:ListBucket and s3:GetObject. Without it the machine’s own role signs, if the operator allows that."
          {...text('accessKeyId')}
        />
        {s3.accessKeyId.trim() !== '' && (
          <SecretField
            label="Secret access key"
            required
            value={secret}
            isStored={hadKey && !isElsewhere}
            isElsewhere={hadKey && isElsewhere}
            onChange={(value) => onChange({ secret: value })}
          />
        )}
      </div>
      <CheckField
        label="The bucket is part of the path"
        checked={s3.pathStyle}
        onChange={(pathStyle) => change({ pathStyle })}
      >
        Most servers of your own (MinIO, Ceph) need this; Amazon does not.
      </CheckField>
    </>
  );
}
