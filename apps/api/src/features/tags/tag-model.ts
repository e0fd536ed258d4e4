import type { OnArrival } from '@docwright/contract';
import { field, modelOf, recordSchema, type StoredRecord } from '../../platform/records/record-model.ts';

export type TagRecord = StoredRecord<typeof tagSchema>;

const tagSchema = recordSchema(
  {
    organization_id: field.objectId,
    name: field.text,
    /** The case-insensitive name; absent after the deletion, so that the name can be used again. */
    name_key: field.text.optional(),
    color: field.text,
    description: field.text.default(''),
    on_arrival: field.mixed<OnArrival>().optionalOrNull(),
    never_to_model: field.flag.optional(),
    /** The call that created the tag. */
    call_id: field.text.optional(),
    applied_calls: field.text.list(),
    /** Counts every change by anyone: undo detects changes of others by it. */
    changes: field.number.default(0),
    deleted_by_call: field.text.orNull(),
    deleted_at: field.date.orNull(),
    created_at: field.date,
    created_by: field.text,
  },
  { collection: 'tags' },
);
tagSchema.index(
  { organization_id: 1, name_key: 1 },
  { unique: true, partialFilterExpression: { name_key: { $type: 'string' } } },
);
tagSchema.index({ organization_id: 1, deleted_at: 1, name_key: 1 });
tagSchema.index({ applied_calls: 1 }, { sparse: true });
tagSchema.index({ call_id: 1 }, { unique: true, sparse: true });

export const tagModel = modelOf('Tag', tagSchema);
