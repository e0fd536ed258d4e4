import { CheckField } from '../../../shared/ui/fields/check-field.tsx';
import { SelectField } from '../../../shared/ui/fields/select-field.tsx';
import { TextField } from '../../../shared/ui/fields/text-field.tsx';
import { SecretField } from './secret-field.tsx';
import {
  needsSecretAgain,
  signedInBy,
  fieldOf,
  type MailSignIn,
  type SourceDraft,
  type SourcePartProps,
} from './source-draft.ts';

type Mail = SourceDraft['imap'];

const signIns: { value: MailSignIn; label: string }[] = [
  { value: 'password', label: 'Password' },
  { value: 'microsoft', label: 'OAuth: Microsoft 365' },
  { value: 'google', label: 'OAuth: Google' },
  { value: 'other', label: 'OAuth: another provider' },
];
const encryptions: { value: Mail['tls']; label: string }[] = [
  { value: 'implicit', label: 'TLS (usually port 993)' },
  { value: 'starttls', label: 'STARTTLS (usually port 143)' },
  { value: 'none', label: 'None: only hosts that the operator lists' },
];
const parts: { value: Mail['parts']; label: string }[] = [
  { value: 'attachments', label: 'Its attachments' },
  { value: 'mail', label: 'The mail itself' },
  { value: 'both', label: 'The mail and its attachments' },
];
const afterwards: { value: Mail['afterwards']; label: string }[] = [
  { value: 'leave', label: 'Leave it' },
  { value: 'mark_seen', label: 'Mark it as read' },
  { value: 'move_to', label: 'Move it to a folder' },
];

interface MailPartProps {
  mail: Mail;
  change: (part: Partial<Mail>) => void;
}

/** A folder of a mailbox. */
export function MailFields({ draft, former, onChange }: SourcePartProps) {
  const { imap: mail } = draft;
  const change = (part: Partial<Mail>) => onChange({ imap: { ...mail, ...part } });
  const text = fieldOf(mail, change);
  const isElsewhere = needsSecretAgain(draft, former);
  const isMailbox = former?.connector?.kind === 'imap';
  const secret = { isStored: isMailbox && !isElsewhere, isElsewhere: isMailbox && isElsewhere };
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-2">
        <SelectField
          label="Sign in with"
          value={mail.signIn}
          options={signIns}
          onChange={(value) => onChange({ imap: signedInBy(mail, value as MailSignIn) })}
        />
        <TextField
          label="User"
          required
          autoComplete="off"
          maxLength={320}
          placeholder="invoices@example.com"
          {...text('user')}
        />
      </div>
      <div className="grid gap-3 sm:grid-cols-[minmax(0,1fr)_7rem_minmax(0,1fr)]">
        <TextField label="Host" required maxLength={253} placeholder="imap.example.com" {...text('host')} />
        <TextField label="Port" type="number" min={1} max={65_535} required {...text('port')} />
        <SelectField
          label="Encryption"
          value={mail.tls}
          options={encryptions}
          onChange={(value) => change({ tls: value as Mail['tls'] })}
        />
      </div>
      {mail.signIn !== 'password' && <OauthFields mail={mail} change={change} />}
      <div className="grid gap-3 sm:grid-cols-2">
        <SecretField
          label={mail.signIn === 'password' ? 'Password' : 'Refresh token'}
          required
          {...secret}
          value={draft.secret}
          onChange={(value) => onChange({ secret: value })}
        />
        {mail.signIn !== 'password' && (
          <SecretField
            label="Client secret, if the program has one"
            {...secret}
            value={draft.clientSecret}
            onChange={(value) => onChange({ clientSecret: value })}
          />
        )}
      </div>
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField label="Folder of the mailbox" required maxLength={1_000} {...text('folder')} />
        <SelectField
          label="What of a mail becomes a document"
          value={mail.parts}
          options={parts}
          onChange={(value) => change({ parts: value as Mail['parts'] })}
        />
        <SelectField
          label="When its files are documents"
          value={mail.afterwards}
          options={afterwards}
          onChange={(value) => change({ afterwards: value as Mail['afterwards'] })}
        />
        {mail.afterwards === 'move_to' && (
          <TextField label="Move to" required maxLength={1_000} placeholder="Done" {...text('target')} />
        )}
      </div>
      <FilterFields mail={mail} change={change} />
    </>
  );
}

/** The program that the provider has registered. */
function OauthFields({ mail, change }: MailPartProps) {
  const text = fieldOf(mail, change);
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <TextField
        label="Client ID"
        required
        autoComplete="off"
        maxLength={300}
        help="Of the program that you have registered with the provider."
        {...text('clientId')}
      />
      {mail.signIn === 'microsoft' && (
        <TextField
          label="Tenant"
          maxLength={100}
          placeholder="example.onmicrosoft.com"
          help="Any tenant without it."
          {...text('tenant')}
        />
      )}
      {mail.signIn === 'other' && (
        <>
          <TextField
            label="Address for tokens"
            type="url"
            required
            maxLength={2_000}
            placeholder="https://login.example.com/oauth/token"
            {...text('tokenUrl')}
          />
          <TextField label="Scope" maxLength={1_000} {...text('scope')} />
        </>
      )}
    </div>
  );
}

function FilterFields({ mail, change }: MailPartProps) {
  const text = fieldOf(mail, change);
  const isFiltered = mail.from !== '' || mail.subject !== '' || mail.hasAttachment || mail.maxAgeDays !== '';
  return (
    <details open={isFiltered || undefined}>
      <summary className="cursor-pointer rounded-sm text-sm font-medium">Which mails, and limits</summary>
      <div className="mt-3 flex flex-col gap-3">
        <div className="grid gap-3 sm:grid-cols-2">
          <TextField label="Sender contains" maxLength={320} {...text('from')} />
          <TextField label="Subject contains" maxLength={500} {...text('subject')} />
        </div>
        <CheckField
          label="Only mails with an attachment"
          checked={mail.hasAttachment}
          onChange={(hasAttachment) => change({ hasAttachment })}
        />
        <div className="grid gap-3 sm:grid-cols-3">
          <TextField label="At most days old" type="number" min={1} max={3_650} {...text('maxAgeDays')} />
          <TextField label="Files of one mail" type="number" min={1} max={500} required {...text('maxFiles')} />
          <TextField
            label="Their size in MB"
            type="number"
            min={1}
            max={200}
            required
            help="Together, unpacked."
            {...text('maxMb')}
          />
        </div>
      </div>
    </details>
  );
}
