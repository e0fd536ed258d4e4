import { arrivalsFeature } from '../features/arrivals/feature.ts';
import { approvalsFeature } from '../features/approvals/feature.ts';
import { askFeature } from '../features/ask/feature.ts';
import { auditFeature } from '../features/audit/feature.ts';
import { chatFeature } from '../features/chat/feature.ts';
import { collectionsFeature } from '../features/collections/feature.ts';
import { bulkFeature } from '../features/document-bulk/feature.ts';
import { documentRoutesFeature, documentsFeature } from '../features/documents/feature.ts';
import { eventLogFeature } from '../features/event-log/feature.ts';
import { eventsFeature } from '../features/events/feature.ts';
import { evaluationsFeature } from '../features/evaluations/feature.ts';
import { extractionsFeature } from '../features/extractions/feature.ts';
import { identityFeature } from '../features/identity/feature.ts';
import { findFeature } from '../features/find/feature.ts';
import { headlessFeature } from '../features/job-handlers/feature.ts';
import { llmFeature } from '../features/llm/feature.ts';
import { mcpFeature } from '../features/mcp/feature.ts';
import { permissionRulesFeature } from '../features/permission-rules/feature.ts';
import { pipelineAgentFeature } from '../features/pipeline-agent/feature.ts';
import { pluginsFeature } from '../features/plugins/feature.ts';
import { promptsFeature } from '../features/prompts/feature.ts';
import { releaseFeature } from '../features/release/feature.ts';
import { resultsFeature } from '../features/results/feature.ts';
import { reviewFeature } from '../features/review/feature.ts';
import { routingFeature } from '../features/routing/feature.ts';
import { runsFeature } from '../features/runs/feature.ts';
import { scheduleCreatorsFeature, schedulesFeature } from '../features/schedules/feature.ts';
import { schemaChatFeature } from '../features/schema-chat/feature.ts';
import { schemasFeature } from '../features/schemas/feature.ts';
import { sourcesFeature } from '../features/sources/feature.ts';
import { streamAdmissionFeature } from '../features/stream-admission/feature.ts';
import { tagsFeature } from '../features/tags/feature.ts';
import { tasksFeature } from '../features/tasks/feature.ts';
import { turnAdmissionFeature } from '../features/turn-admission/feature.ts';
import { undoFeature } from '../features/undo/feature.ts';
import { usageFeature } from '../features/usage/feature.ts';
import { webhooksFeature } from '../features/webhooks/feature.ts';
import { compose } from '../platform/feature.ts';
import type { Base } from './app-dependencies.ts';

/** All features, one line each, after those that they need. Each is defined in its `feature.ts`. */
export const features = compose<Base>()
  .with(identityFeature)
  .with(findFeature)
  .with(auditFeature)
  .with(eventLogFeature)
  .with(streamAdmissionFeature)
  .with(turnAdmissionFeature)
  .with(usageFeature)
  .with(llmFeature)
  .with(documentsFeature)
  .with(routingFeature)
  .with(promptsFeature)
  .with(schemasFeature)
  .with(tagsFeature)
  .with(extractionsFeature)
  .with(reviewFeature)
  .with(releaseFeature)
  .with(eventsFeature)
  .with(webhooksFeature)
  .with(resultsFeature)
  .with(evaluationsFeature)
  .with(permissionRulesFeature)
  .with(undoFeature)
  .with(chatFeature)
  .with(headlessFeature)
  .with(approvalsFeature)
  .with(documentRoutesFeature)
  .with(schemaChatFeature)
  .with(tasksFeature)
  .with(pluginsFeature)
  .with(sourcesFeature)
  .with(collectionsFeature)
  .with(pipelineAgentFeature)
  .with(scheduleCreatorsFeature)
  .with(runsFeature)
  .with(schedulesFeature)
  .with(arrivalsFeature)
  .with(bulkFeature)
  .with(askFeature)
  .with(mcpFeature);

export type Services = ReturnType<typeof features.create>;
