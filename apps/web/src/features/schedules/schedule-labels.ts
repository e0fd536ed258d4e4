import type { Schedule } from '@docwright/contract';
import type { AppSession } from '../../shared/session/session.tsx';

/** Describes what a schedule does with each document. */
export function actionLabel({ action, prompt_id }: Schedule, promptName: (id: string) => string): string {
  if (action === 'auto_create') return 'Prepares a schema, a prompt and an extraction';
  return prompt_id === undefined
    ? 'Extracts with each document’s own prompt'
    : `Extracts with “${promptName(prompt_id)}”`;
}

/** Members can change the schedules that they created, admins all. */
export function canChange({ me, organization }: AppSession, { created_by }: Schedule): boolean {
  return organization.role === 'admin' || (organization.role === 'member' && created_by === me.user.id);
}
