import { useQuery } from '@tanstack/react-query';
import { CalendarClock } from 'lucide-react';
import { useMemo } from 'react';
import { nextTimesQuery } from '../../shared/api/schedules-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { failedFields } from '../../shared/http/failed-fields.ts';
import { SelectField } from '../../shared/ui/fields/select-field.tsx';
import { TextField } from '../../shared/ui/fields/text-field.tsx';
import { useDebounced } from '../../shared/ui/browser/use-debounced.ts';
import { localTimezone, momentLabel, timingLabel } from '../../shared/formats/timing-labels.ts';
import { timingBody, timingKinds, weekdays, type TimingFields, type TimingKind } from '../../shared/formats/timing.ts';

interface TimingFormProps {
  fields: TimingFields;
  onChange: (part: Partial<TimingFields>) => void;
  /** The server's errors about the whole form, by field. */
  errors: Partial<Record<string, string>>;
}

const knownFields = ['cron', 'every', 'timezone'];
const debounceMs = 300;
const units = [
  { value: 'm', label: 'minutes' },
  { value: 'h', label: 'hours' },
  { value: 'd', label: 'days' },
  { value: 'w', label: 'weeks' },
];
const days = Array.from({ length: 31 }, (_, index) => ({ value: String(index + 1), label: String(index + 1) }));

/** Chooses when a schedule runs: a preset or a cron expression, with a description and the next three times below. */
export function TimingForm({ fields, onChange, errors: sent }: TimingFormProps) {
  const { kind } = fields;
  const { times, errors: timingErrors, description } = useNextTimes(fields);
  const errors = { ...sent, ...timingErrors };
  const at = (
    <TextField
      label="At"
      type="time"
      required
      className="w-32"
      value={fields.time}
      error={fields.time === '' ? 'Choose a time.' : errors['cron']}
      onChange={(event) => onChange({ time: event.target.value })}
    />
  );
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-start gap-3">
        <SelectField
          label="How often"
          className="w-52 max-sm:w-full"
          value={kind}
          options={timingKinds}
          onChange={(value) => onChange({ kind: value as TimingKind })}
        />
        {kind === 'weekly' && (
          <SelectField
            label="On"
            className="w-36"
            value={fields.weekday}
            options={weekdays.map((label, index) => ({ value: String(index), label }))}
            onChange={(weekday) => onChange({ weekday })}
          />
        )}
        {kind === 'monthly' && (
          <SelectField
            label="On day"
            className="w-24"
            value={fields.day}
            options={days}
            onChange={(day) => onChange({ day })}
          />
        )}
        {(kind === 'daily' || kind === 'weekdays' || kind === 'weekly' || kind === 'monthly') && at}
        {kind === 'every' && (
          <>
            <TextField
              label="Every"
              type="number"
              min={1}
              required
              className="w-24"
              value={fields.count}
              error={errors['every']}
              onChange={(event) => onChange({ count: event.target.value })}
            />
            <SelectField
              label="Unit"
              className="w-32"
              value={fields.unit}
              options={units}
              onChange={(unit) => onChange({ unit: unit as TimingFields['unit'] })}
            />
          </>
        )}
        {kind === 'cron' && (
          <TextField
            label="Cron expression"
            required
            className="min-w-60 flex-1"
            maxLength={200}
            autoComplete="off"
            spellCheck={false}
            value={fields.cron}
            help="Minute, hour, day of month, month, weekday."
            error={errors['cron']}
            onChange={(event) => onChange({ cron: event.target.value })}
          />
        )}
        {kind !== 'every' && (
          <Timezones
            value={fields.timezone}
            error={errors['timezone']}
            onChange={(timezone) => onChange({ timezone })}
          />
        )}
      </div>
      <output
        aria-label="When it runs"
        className="flex min-h-24 items-start gap-2 rounded-md bg-accent-soft px-3 py-2 text-sm [&>svg]:mt-px [&>svg]:text-accent"
      >
        <CalendarClock aria-hidden className="size-4 shrink-0" />
        <div className="min-w-0">
          <p className="font-medium wrap-anywhere">{description}</p>
          {times.length > 0 && (
            <ol aria-label="Next three runs" className="mt-1 tabular-nums">
              {times.map((time) => (
                <li key={time}>{momentLabel(time, kind === 'every' ? localTimezone() : fields.timezone)}</li>
              ))}
            </ol>
          )}
        </div>
      </output>
    </div>
  );
}

/** Describes the chosen times; the server computes the next ones. */
function useNextTimes(fields: TimingFields) {
  const { orgId } = useSession();
  const current = JSON.stringify(timingBody(fields));
  const requested = useDebounced(current, debounceMs);
  const complete = fields.kind === 'every' || fields.kind === 'cron' || fields.time !== '';
  const next = useQuery({ ...nextTimesQuery(orgId, JSON.parse(requested)), enabled: complete });
  // Errors about an earlier expression do not apply to this one.
  const { fields: errors } = failedFields(requested === current ? next.error : null, knownFields);
  const valid = complete && next.isSuccess && requested === current;
  const sentence = timingLabel({ ...timingBody(fields), timezone: fields.timezone });
  const isKnown = complete && !(next.isError && requested === current);
  const description = isKnown ? `Runs ${sentence}. Next:` : 'Fix the errors above to see when it runs.';
  return { times: valid ? next.data.times : [], errors, description };
}

interface TimezonesProps {
  value: string;
  error: string | undefined;
  onChange: (timezone: string) => void;
}

function Timezones({ value, error, onChange }: TimezonesProps) {
  const options = useMemo(() => {
    const here = localTimezone();
    const first = [...new Set([here, 'UTC'])];
    const names = [...first, ...Intl.supportedValuesOf('timeZone').filter((name) => !first.includes(name))];
    return (names.includes(value) ? names : [value, ...names]).map((name) => ({
      value: name,
      label: name === here ? `${name} (here)` : name,
    }));
  }, [value]);
  return (
    <SelectField
      label="Time zone"
      className="w-60 max-sm:w-full"
      value={value}
      options={options}
      error={error}
      onChange={onChange}
    />
  );
}
