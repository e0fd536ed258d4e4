import type { TaskAgentServices, TaskService } from '@docwright/agent-core';
import type { DocumentService } from '../documents/document-service.ts';
import type { Actor } from '../identity/actor.ts';

export interface TaskAgentServiceDependencies {
  tasks: (actor: Actor) => TaskService;
  documents: (actor: Actor) => Pick<DocumentService, 'list'>;
}

/** How many documents the agent knows by name. */
const documentsKnown = 10;

/** What the task tools may reach for one person in one organization, from whichever side they are called. */
export function taskAgentServicesFor(
  { tasks, documents }: TaskAgentServiceDependencies,
  actor: Actor,
): TaskAgentServices {
  return {
    tasks: tasks(actor),
    now: () => new Date(),
    async recentDocuments() {
      const { documents: newest } = await documents(actor).list({ skip: 0, limit: documentsKnown });
      return newest.map(({ id, document_name: name }) => ({ id, name }));
    },
  };
}
