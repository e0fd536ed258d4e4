import type { Prompt } from '@docwright/contract';
import { labelOf } from '../../shared/values/field-shape.ts';
import type { ReadingChoice } from './reading-fields.tsx';

/** The reading settings of a prompt; a new one starts with a risk of 5 % and a sample of 10 %. */
export function readingOf(prompt: Prompt | undefined): ReadingChoice {
  const { confirm_below = 0.05, sample = 0.1 } = prompt?.review_policy ?? {};
  return {
    evidence: prompt?.evidence === true,
    secondRead: prompt?.second_read === true,
    secondModel: prompt?.second_model ?? '',
    accepts: prompt?.review_policy !== undefined,
    confirmBelow: percentOf(confirm_below),
    sample: percentOf(sample),
  };
}

const percentOf = (share: number) => String(Number((share * 100).toFixed(4)));

/** The settings as request bodies; in an update, null removes a setting. */
export function readingBody({ evidence, secondRead, secondModel, accepts, confirmBelow, sample }: ReadingChoice) {
  const second_model = secondRead && secondModel !== '' ? secondModel : undefined;
  const review_policy = accepts
    ? { confirm_below: Number(confirmBelow) / 100, sample: Number(sample) / 100 }
    : undefined;
  return {
    create: {
      evidence,
      second_read: secondRead,
      ...(second_model !== undefined && { second_model }),
      ...(review_policy && { review_policy }),
    },
    update: {
      evidence,
      second_read: secondRead,
      second_model: second_model ?? null,
      review_policy: review_policy ?? null,
    },
  };
}

/** Describes the settings, one line for each. */
export function readingLines({
  evidence,
  second_read,
  second_model,
  machine_map = [],
  review_policy,
}: Prompt): string[] {
  return [
    ...(evidence === true ? ['The model names the words of each value'] : []),
    ...(second_read === true
      ? [`Reads twice, at twice the cost${second_model === undefined ? '' : `, the second time with ${second_model}`}`]
      : []),
    ...(machine_map.length > 0
      ? [`Compared with the data for machines: ${machine_map.map(({ field }) => labelOf(field)).join(', ')}`]
      : []),
    ...(review_policy === undefined
      ? []
      : [
          `Accepts values below a risk of ${percentOf(review_policy.confirm_below)} %, except in ${percentOf(review_policy.sample)} % of the documents`,
        ]),
  ];
}
