export type { AuditLog, AuditRecord } from './audit-log.ts';
export type { AuditRepository } from './audit-repository.ts';
export type { AuditServices } from './audit-services.ts';
export { declareWrites, uploadTool, type AuditWrites, type NoteWrite } from './declared-writes.ts';
export type { RecordCallsOf } from './turn-audit.ts';
