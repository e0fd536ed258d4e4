import type { Conversation, Step } from '../plan/conversation.ts';
import { bold } from '../plan/plain-text.ts';

const changing = new Set([
  'add_column',
  'edit_column',
  'remove_column',
  'update_project_description',
  'set_multi_row_mode',
  'set_feature_flags',
]);

/** The changes decided since the last message. */
export function decidedSteps({ steps }: Conversation): Step[] {
  return steps.filter(({ name }) => changing.has(name));
}

/** A summary of the executed, rejected and failed changes. */
export function changesTold(steps: readonly Step[]): string {
  const named = (kind: Step['outcome']['kind']) => steps.filter(({ outcome }) => outcome.kind === kind);
  const done = named('done').map(told);
  const declined = named('rejected').map(told);
  const failed = steps.flatMap((step) =>
    step.outcome.kind === 'failed' ? [`${told(step)}: ${step.outcome.error}`] : [],
  );
  if (done.length === 0 && failed.length === 0)
    return 'You declined it, so I changed nothing. What shall be different?';
  return [
    ...(done.length > 0 ? [`Done: ${done.join(', ')}.`] : []),
    ...(declined.length > 0 ? [`Left out, as you declined: ${declined.join(', ')}.`] : []),
    ...failed.map((failure) => `I could not ${failure}`),
    'Say what else you want changed, or save the schema.',
  ].join('\n\n');
}

function told({ name, arguments: args, outcome }: Step): string {
  const result = outcome.kind === 'done' ? outcome.value : {};
  switch (name) {
    case 'add_column':
      return `add ${bold(String(args['name']))}`;
    case 'edit_column':
      return `change ${bold(nameIn(result['changed']) ?? 'a column')}`;
    case 'remove_column':
      return `remove ${bold(nameIn(result['removed']) ?? 'a column')}`;
    case 'set_multi_row_mode':
      return args['enabled'] === true ? 'take many rows' : 'take one row';
    case 'update_project_description':
      return 'describe the project';
    default:
      return 'set the flags';
  }
}

function nameIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('name' in value)) return undefined;
  return typeof value.name === 'string' ? value.name : undefined;
}
