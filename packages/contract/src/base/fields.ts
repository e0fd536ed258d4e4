import { z } from 'zod';

/** An id in its public form: 24 hex digits. */
export const objectId = z
  .string()
  .regex(/^[0-9a-f]{24}$/i, 'An id has 24 hex digits.')
  .toLowerCase();

/** An id in an answer. The server created it, so its pattern is described but not checked. */
export const recordId = z.string().meta({ pattern: '^[0-9a-f]{24}$' });

/** A time zone as an IANA name. */
export const timeZone = z
  .string()
  .max(100, { abort: true })
  .refine(
    (name) => isKnown(() => new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone),
    'A time zone is an IANA name, such as Europe/Berlin.',
  );

/** A language as a BCP 47 tag. */
export const languageTag = z
  .string()
  .max(35, { abort: true })
  .refine((tag) => isKnown(() => Intl.getCanonicalLocales(tag)[0]), 'A language is a BCP 47 tag, such as de or en-GB.');

function isKnown(read: () => string | undefined): boolean {
  try {
    return (read() ?? '') !== '';
  } catch {
    return false;
  }
}

/**
 * Fields of an object as the caller last read them, by their names in the answer; null for one that the answer leaves out. A
 * change is made only while they are still so: otherwise the answer is 409 `version_conflict`.
 */
export const seenFields = z
  .record(z.string().max(100), z.unknown())
  .refine((seen) => Object.keys(seen).length <= 200, '`seen` has at most 200 fields.')
  .optional()
  .describe(
    'Fields as you last read them, by their names in the answer; null for one that the answer leaves out. If one of them is different now, nothing is changed, and the answer is 409 `version_conflict` with their names in `details.changed`.',
  );
export type SeenFields = z.infer<typeof seenFields>;

/** A time in ISO 8601, in UTC: `2026-11-25T22:30:00.000Z`. */
export const timestamp = z.string().meta({ format: 'date-time' });

/** The body of every error, except at the OAuth endpoints. */
export const errorBody = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    details: z.unknown().optional(),
    request_id: z.string(),
  }),
});
export type ErrorBody = z.infer<typeof errorBody>;

/** Lists count and skip up to this many matches. */
export const maxCounted = 10_000;

const skipUpTo = (advice: string) => z.coerce.number().int().min(0).max(maxCounted, advice).default(0);

/** A boolean in a query. */
export const yesOrNo = z.stringbool({ truthy: ['true'], falsy: ['false'] }).meta({ enum: ['true', 'false'] });

/**
 * Control and direction characters, line breaks, and letters that are not shown. A user who approves a name with them sees
 * another one. The joiners of scripts and of emoji are none.
 */
const unseen =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u00ad\u061c\u115f\u1160\u180e\u200b\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]/u;

/** A blank pattern of Braille. */
const blank = '\u2800';

/**
 * The text without control and direction characters, line breaks, and letters that are not shown.
 *
 * @example
 * import { withoutUnseen } from '@docwright/contract';
 *
 * withoutUnseen('a\u200bb'); // 'ab'
 */
export const withoutUnseen = (text: string): string => text.replaceAll(new RegExp(unseen, 'gu'), '');

/**
 * Whether somebody who reads the text sees anything: a letter, a digit or a sign.
 *
 * @example
 * import { isShown } from '@docwright/contract';
 *
 * isShown('\u200b'); // false
 */
export function isShown(text: string): boolean {
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(withoutUnseen(text).replaceAll(blank, ''));
}

/** A name that people read: one line of at most so many characters, all of which are shown. */
export const shownName = (max: number, missing?: string) =>
  z
    .string()
    .trim()
    .min(1, missing)
    // Ends before the search for letters that are not shown, which would take long in a long text.
    .max(max, { abort: true })
    .refine(
      (name) => !unseen.test(name) && isShown(name),
      'A name has no line breaks, and no characters that are not shown or turn the text around.',
    );

/** The name of a schema, prompt, tag or schedule. */
export const artifactName = shownName(200);

/**
 * A text that nobody has checked as the name of a schema, prompt, tag or schedule: without what is not shown, on one line, at
 * most 200 characters. Empty if nothing is left.
 *
 * @example
 * import { artifactNameFrom } from '@docwright/contract';
 *
 * artifactNameFrom(' Invoices\n2026 '); // 'Invoices 2026'
 */
export function artifactNameFrom(text: string): string {
  const shown = withoutUnseen(text.replaceAll(/\s+/gu, ' ')).trim();
  if (!isShown(shown)) return '';
  return shown
    .slice(0, 200)
    .replace(/\p{Cs}$/u, '')
    .trim();
}

/** A repeated or comma-separated query value with at most so many ids. */
export const idsQuery = (max: number) =>
  z
    .union([z.string(), z.array(z.string())])
    .transform((value) => (Array.isArray(value) ? value : value.split(',')).map((id) => id.trim()).filter(Boolean))
    .pipe(z.array(objectId).max(max));

export const idListQuery = idsQuery(100);

/** By default, lists omit objects whose review is pending. */
export const reviewQuery = z
  .literal('pending')
  .describe('Lists objects with a pending review instead of those in use.');

/** `skip` and `limit` of a list without cursors: one that is short, or that changes its order while somebody works through it. */
export const skipQuery = z.object({
  skip: skipUpTo('`skip` is at most 10,000. Narrow the list, where it has a filter.'),
  limit: z.coerce.number().int().min(1).max(100).default(10),
});

/** The page of a list: from `skip` on, or, by its `next_cursor`, behind a page before it. */
export const pageQuery = skipQuery.extend({
  skip: skipUpTo(
    '`skip` is at most 10,000. Narrow the list with a filter, or go on with the `next_cursor` of a page as `cursor`.',
  ),
  cursor: z
    .string()
    .max(4_000)
    .regex(/^[\w-]+$/, 'A cursor is the `next_cursor` of a page of the same list, unchanged.')
    .optional(),
  /** Counts beyond 10,000, which takes longer. */
  exact_count: yesOrNo.optional(),
});
export type PageQuery = z.infer<typeof pageQuery>;

/** The answer of a list without cursors. `total_count` counts matches beyond the page. */
export const skipPageInfo = z.object({
  /** All matches, counted up to 10,000. */
  total_count: z.number().int(),
  /** Present if there are more than `total_count`. */
  total_is_minimum: z.literal(true).optional(),
  skip: z.number().int(),
  limit: z.number().int(),
  /** Ids of records that the page leaves out because they are damaged. The log of the server has the reason. */
  unreadable: z.array(z.string()).optional(),
});

/** What a list says about its length. */
export type Counted = Pick<z.infer<typeof skipPageInfo>, 'total_count' | 'total_is_minimum'>;

/** The shared part of every list's answer. */
export const pageInfo = skipPageInfo.extend({
  /** The `cursor` of the next page. Absent on the last one. */
  next_cursor: z.string().optional(),
});

export const jsonObject = z.record(z.string(), z.unknown());
export type JsonObject = z.infer<typeof jsonObject>;

/** Any JSON value. Registered under a name, because it is recursive and the OpenAPI document must refer to it. */
export const jsonValue = z.json().register(z.globalRegistry, { id: 'JsonValue' });

/** Kinds of machine-readable data in documents. */
export const machineDataKind = z.enum(['invoice_xml', 'qr_code', 'bar_code', 'mrz']).meta({ id: 'MachineDataKind' });
