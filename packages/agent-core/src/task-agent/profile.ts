import type { AgentProfile } from '../loop/agent-profile.ts';
import type { TaskAgentServices } from './services.ts';
import { taskAgentSystemPrompt, taskAgentTail } from './system-prompt.ts';
import { taskAgentTools } from './task-tools.ts';

/** Open tasks that a request ends with. */
const maxOpen = 20;

/** The agent that keeps a person's to-do list. */
export function createTaskAgentProfile(
  limits: AgentProfile<TaskAgentServices>['limits'],
): AgentProfile<TaskAgentServices> {
  return {
    name: 'task-agent',
    tools: taskAgentTools,
    limits,
    buildSystemPrompt: async ({ services }) => taskAgentSystemPrompt(await services.recentDocuments()),
    buildTail: async ({ services }) => {
      const { tasks } = await services.tasks.list({ skip: 0, limit: maxOpen, is_completed: false });
      return taskAgentTail(services.now(), tasks);
    },
  };
}
