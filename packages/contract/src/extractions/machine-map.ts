import { z } from 'zod';
import { machineData } from '../documents/reading.ts';

const name = String.raw`[^.[\]\s][^.[\]]*`;
const kinds = machineData.shape.kind.options.join('|');
const inLists = (path: string) => path.split('[]').length - 1;

/** A field of a result, and the value for machines that says the same. Both may lie in a list, `lines[].net`. */
export const mappedField = z
  .strictObject({
    field: z
      .string()
      .max(300)
      .regex(new RegExp(String.raw`^${name}(?:\[\])?(?:\.${name}(?:\[\])?)*$`, 'u'))
      .describe('The field of the result, such as total or line_items[].amount.'),
    from: z
      .string()
      .max(300)
      .regex(new RegExp(String.raw`^(?:${kinds})(?:\.${name}(?:\[\])?)+$`, 'u'))
      .describe(
        'The value in machine_data: its kind and its path in `data`, such as invoice_xml.totals.grand_total or invoice_xml.lines[].net.',
      ),
  })
  .refine(({ field, from }) => inLists(field) === inLists(from) && inLists(field) < 2, {
    message: 'A field of a list needs a value of a list, and lists in lists are not compared.',
  });
export type MappedField = z.infer<typeof mappedField>;

/** The fields of a prompt that stand in its documents for machines too. */
export const machineMap = z
  .array(mappedField)
  .max(100)
  .refine((map) => new Set(map.map(({ field }) => field)).size === map.length, 'A field is mapped once.')
  .describe(
    'Fields whose values stand in `machine_data` of the documents too. Each such value says whether it agrees (`agrees_with_embedded`) or differs (`differs_from_embedded`). An empty list ends that.',
  );
