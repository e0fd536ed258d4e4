import { ApiError, messageOf } from './api-error.ts';

/** Error codes that concern one field. */
const fieldOfCode: Record<string, string> = {
  invalid_cron: 'cron',
  invalid_every: 'every',
  invalid_timezone: 'timezone',
  unknown_tool: 'auto_approved_tools',
};

/** Messages for fields whose schema messages are too technical. */
const messageOfField: Record<string, string> = { max_documents: 'A whole number from 1 to 1,000.' };

interface Detail {
  path: string;
  message: string;
}

function detailsOf(error: ApiError): Detail[] {
  return Array.isArray(error.details) ? (error.details as Detail[]) : [];
}

/** Assigns a rejection to the fields of the request body; `other` is the message if it concerns none of `known`. */
export function failedFields(
  error: unknown,
  known: readonly string[],
): { fields: Partial<Record<string, string>>; other: string | undefined } {
  if (error === null) return { fields: {}, other: undefined };
  if (!(error instanceof ApiError)) return { fields: {}, other: messageOf(error) };
  const field = error.code === 'unknown_reference' ? referenceOf(error) : fieldOfCode[error.code];
  if (field !== undefined && known.includes(field)) return { fields: { [field]: error.message }, other: undefined };
  const details = detailsOf(error).filter(({ path }) => known.includes(path.split('.')[0] ?? ''));
  if (error.status !== 422 || details.length === 0) return { fields: {}, other: messageOf(error) };
  return {
    fields: Object.fromEntries(
      details.map(({ path, message }) => {
        const [field = ''] = path.split('.');
        return [field, messageOfField[field] ?? message];
      }),
    ),
    other: undefined,
  };
}

/** All missing references share one code; the message names the field. */
const referenceOf = ({ message }: ApiError): string => (/\bprompt/iu.test(message) ? 'prompt_id' : 'filter');
