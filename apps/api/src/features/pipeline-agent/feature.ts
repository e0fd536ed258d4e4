import { defineFeature } from '../../platform/feature.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import type { TurnAdmission } from '../turn-admission/index.ts';
import { pipelineAgentRoutes } from './pipeline-agent-routes.ts';
import { createPipelineAgentServices, type PipelineAgentNeeds } from './pipeline-agent-services.ts';

/** Conversations in which an agent builds a pipeline. */
export const pipelineAgentFeature = defineFeature({
  create: (needs: PipelineAgentNeeds & { admission: TurnAdmission; streams: StreamAdmission }) =>
    createPipelineAgentServices(needs),
  routes: async (app, { admission, streams, ...services }) =>
    app.register(pipelineAgentRoutes, { services, admission, streams }),
  stop: async ({ agentMessages }) => agentMessages.stop(),
});
