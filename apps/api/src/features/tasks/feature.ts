import { defineFeature } from '../../platform/feature.ts';
import type { DocumentHooks } from '../documents/index.ts';
import type { TurnAdmission } from '../turn-admission/index.ts';
import { taskChatRoutes } from './task-chat-routes.ts';
import { createTaskUnlinking } from './task-repository.ts';
import { taskRoutes } from './task-routes.ts';
import { createTaskServices, type TaskNeeds } from './task-services.ts';

/** To-do lists and their agent. */
export const tasksFeature = defineFeature({
  create({ documentHooks, ...needs }: TaskNeeds & { documentHooks: DocumentHooks; admission: TurnAdmission }) {
    documentHooks.onRemove(createTaskUnlinking(needs.connection));
    return createTaskServices(needs);
  },
  async routes(app, { admission, ...services }) {
    await app.register(taskRoutes, { services });
    await app.register(taskChatRoutes, { services, admission });
  },
  stop: async ({ taskChat }) => taskChat.stop(),
});
