import type { Role, TokenScope } from '@docwright/contract';
import { field, modelOf, recordSchema, type StoredRecord } from '../../../platform/records/record-model.ts';

export type AccessTokenRecord = StoredRecord<typeof accessTokenSchema>;

const accessTokenSchema = recordSchema(
  {
    organization_id: field.objectId,
    /** The creator, in whose name it acts; it ends with their membership. */
    user_id: field.objectId,
    name: field.text,
    role: field.oneOf<Role>('admin', 'member', 'viewer'),
    /** Absent in older tokens, which have all scopes. */
    scopes: field.oneOf<TokenScope>().list().optional(),
    token_hash: field.text,
    prefix: field.text,
    created_at: field.date,
    expires_at: field.date.orNull(),
    last_used_at: field.date.orNull(),
  },
  { collection: 'access_tokens' },
);
accessTokenSchema.index({ token_hash: 1 }, { unique: true });
accessTokenSchema.index({ organization_id: 1, created_at: -1 });

export const accessTokenModel = modelOf('AccessToken', accessTokenSchema);
