export type { ApprovalInbox } from './approval-inbox.ts';
