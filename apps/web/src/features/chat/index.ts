export { useCallEvidence } from './approvals/use-call-evidence.ts';
export type { ShownEvidence } from './approvals/use-call-evidence.ts';
export { DocumentConversation } from './document-conversation.tsx';
export type { AnswerLook } from './messages/message-list.tsx';
export { ThreadMenu, useOpenedThread } from './threads/opened-thread.tsx';
