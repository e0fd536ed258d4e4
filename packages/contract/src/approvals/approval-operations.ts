import { describeOperations } from '../base/describe-operations.ts';
import { approvalEvent, approvalList, approvalQuery, decideApprovalsAnswer, decideApprovalsBody } from './approvals.ts';

const visibility =
  'Includes calls of the caller’s own chats, runs and schedules. Admins see the calls of all runs and schedules, but never those of another user’s chat.';

export const approvalOperations = describeOperations('approvals', {
  'GET /v0/orgs/:org_id/approvals': {
    operationId: 'listApprovals',
    summary: 'List pending approvals',
    description: `Ordered by expiry. ${visibility} \`group\` is equal for calls of one tool whose arguments differ only in the document they name; \`by=group\` lists one call per group with \`group_size\` and the paths that differ, and pages by group.`,
    querystring: approvalQuery,
    response: { 200: approvalList },
  },
  'POST /v0/orgs/:org_id/approvals/decide': {
    operationId: 'decideApprovals',
    summary: 'Decide pending approvals',
    description:
      'At most 200 at once. Each has its own outcome: `decided`, `conflict` (another user decided, or the object has changed since the proposal and the call stays pending), `expired`, `forbidden` (beyond the caller’s rights), `not_found`, `invalid`. A turn resumes once all calls of its batch are decided. Calls of runs are executed by a worker with the lesser of the rights of the approver and of the user who started the run. With `stream: true` each outcome is sent as it arrives.',
    body: decideApprovalsBody.meta({
      examples: [
        {
          decisions: [{ turn_id: '6650f1c2a4b3d2e1f0a9b8c7', call_id: 'b0f1c2a4b3d2e1f0a9b8c755', approved: true }],
        },
      ],
    }),
    errors: ['too_many_streams'],
    response: { 200: decideApprovalsAnswer },
  },
  'GET /v0/orgs/:org_id/approvals/events': {
    operationId: 'followApprovals',
    summary: 'Follow pending approvals (SSE)',
    description: `First \`count\` with \`total_count\` and \`total_groups\`, again whenever they change; then \`added\` and \`removed\` for each call, whichever process changes it. ${visibility}`,
    errors: ['too_many_streams'],
    response: { 200: { description: 'The events.', content: { 'text/event-stream': { schema: approvalEvent } } } },
  },
});
