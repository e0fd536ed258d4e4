import { field, modelOf, recordSchema, type StoredRecord } from '../../records/record-model.ts';

export type SumRecord = StoredRecord<typeof sumSchema>;

const sumSchema = recordSchema(
  {
    organization_id: field.objectId,
    name: field.text,
    /** Counts the writes: one applies only to the sums that were read before its members were measured. */
    version: field.number,
    /** Contributions of earlier versions belong to sums that were removed. Absent: none. */
    first_version: field.number.optional(),
    /** `Figures` as JSON, since groups can have any names. */
    figures: field.text,
    /** The contributions of the last write, until they are stored: a process can die in between. */
    last: field.mixed<{ member: string; figures: string }[]>(),
    /** The stamp up to which every change is included; absent until all members were measured once. */
    stamp: field.text.optional(),
    /** When that was found, or 1970. */
    kept_at: field.date.unchecked(),
    /** About when a user looked at them last. */
    looked_at: field.date.unchecked(),
  },
  { collection: 'kept_sums' },
);
sumSchema.index({ organization_id: 1, name: 1 }, { unique: true });
sumSchema.index({ kept_at: 1 });
sumSchema.index({ looked_at: 1 });

const contributionSchema = recordSchema(
  {
    organization_id: field.objectId,
    name: field.text,
    member: field.text,
    /** The write of the sums that included it. */
    version: field.number,
    figures: field.text,
  },
  { collection: 'kept_contributions' },
);
contributionSchema.index({ organization_id: 1, name: 1, member: 1 }, { unique: true });

export const keptSumModel = modelOf('KeptSum', sumSchema);
export const keptContributionModel = modelOf('KeptContribution', contributionSchema);
