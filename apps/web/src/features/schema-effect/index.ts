export { OldSchemaNotice } from './old-schema-notice.tsx';
export { SchemaDifference } from './schema-difference.tsx';
export { useSchemaSave } from './use-schema-save.tsx';
