import { field, modelOf, recordSchema, type StoredRecord } from '../../../platform/records/record-model.ts';

export type UserRecord = StoredRecord<typeof userSchema>;

const userSchema = recordSchema(
  {
    email: field.text,
    name: field.text,
    /** null for the unclaimed owner of the first organization. */
    password_hash: field.text.orNull(),
    created_at: field.date,
  },
  { collection: 'users' },
);
userSchema.index({ email: 1 }, { unique: true });

export const userModel = modelOf('User', userSchema);
