import { ApiError, messageOf } from './api-error.ts';

/** Reasons of the domain that concern one field. */
const fieldOfCode: Record<string, string> = {
  invalid_cron: 'cron',
  invalid_every: 'every',
  invalid_timezone: 'timezone',
  unknown_tool: 'auto_approved_tools',
};

/** What a field takes, where the schema’s own words are those of a program. */
const wordsOfField: Record<string, string> = { max_documents: 'A whole number from 1 to 1,000.' };

interface Detail {
  path: string;
  message: string;
}

function detailsOf(error: ApiError): Detail[] {
  return Array.isArray(error.details) ? (error.details as Detail[]) : [];
}

/** What the server has refused, by the field of the body that it concerns. `other` stands for no field of `known`. */
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
        return [field, wordsOfField[field] ?? message];
      }),
    ),
    other: undefined,
  };
}

/** One code for all that is not there: its message says what it is about. */
const referenceOf = ({ message }: ApiError): string => (/\bprompt/iu.test(message) ? 'prompt_id' : 'filter');
