import type { AgentProfile } from '../loop/agent-profile.ts';
import type { TaskAgentServices } from './services.ts';
import { taskAgentSystemPrompt } from './system-prompt.ts';
import { taskAgentTools } from './task-tools.ts';

/** The agent that keeps a person's to-do list. */
export function createTaskAgentProfile(
  limits: AgentProfile<TaskAgentServices>['limits'],
): AgentProfile<TaskAgentServices> {
  return {
    name: 'task-agent',
    tools: taskAgentTools,
    limits,
    buildSystemPrompt: async ({ services }) => taskAgentSystemPrompt(services.now(), await services.recentDocuments()),
  };
}
