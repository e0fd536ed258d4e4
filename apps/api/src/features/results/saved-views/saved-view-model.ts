import { field, modelOf, recordSchema, type StoredRecord } from '../../../platform/records/record-model.ts';

/** A view of a prompt's results that a user saved. */
export type SavedViewRecord = StoredRecord<typeof schema>;

const schema = recordSchema(
  {
    organization_id: field.objectId,
    prompt_id: field.text,
    name: field.text,
    columns: field.text.list(),
    where: field.text.default(''),
    sort: field.text.default(''),
    is_shared: field.flag.default(false),
    created_by: field.text,
    created_at: field.date,
  },
  { collection: 'result_views' },
);
schema.index({ organization_id: 1, prompt_id: 1, created_by: 1, name: 1 }, { unique: true });

export const savedViewModel = modelOf('ResultView', schema);
