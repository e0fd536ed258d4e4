import type { AgentConversationStatus, UncertaintySeverity } from '@docwright/contract';
import type { Tone } from '../../../shared/formats/run-labels.ts';
import type { CallStep } from './setup-state.ts';

export function statusWords({ status, is_running }: { status: AgentConversationStatus; is_running: boolean }): {
  label: string;
  tone: Tone;
} {
  if (is_running) return { label: 'Working', tone: 'busy' };
  if (status === 'applied') return { label: 'Applied', tone: 'good' };
  return status === 'active' ? { label: 'Open', tone: 'neutral' } : { label: 'Abandoned', tone: 'warn' };
}

const agents: [prefix: string, name: string][] = [
  ['source_analyzer', 'Look at the source'],
  ['pipeline_validator', 'Trial of the pipeline'],
];

/** What a sub-agent is there for. */
export function subAgentWords(agentId: string): string {
  return agents.find(([prefix]) => agentId.startsWith(prefix))?.[1] ?? agentId.replaceAll('_', ' ');
}

const verbs: Record<string, [running: string, done: string, failed: string]> = {
  list_plugins: ['Looks at the plugins', 'Looked at the plugins', 'Could not look at the plugins'],
  get_plugin_details: ['Looks at the plugin', 'Looked at the plugin', 'Could not look at the plugin'],
  list_templates: ['Looks at the templates', 'Looked at the templates', 'Could not look at the templates'],
  get_pipeline_state: ['Looks at where things stand', 'Looked at where things stand', 'Could not look at it'],
  build_pipeline: ['Proposes a pipeline', 'Proposed a pipeline', 'Could not propose a pipeline'],
  // As long as a sub-agent has begun, its card stands for it.
  spawn_source_analyzer: ['Looks at the source', 'Looked at the source', 'Could not look at the source'],
  spawn_pipeline_validator: ['Tries the pipeline', 'Tried the pipeline', 'Could not try the pipeline'],
  apply_pipeline: ['Asks to apply', 'Asked to apply', 'Could not ask to apply'],
};

/** A call in words; what it was about after them. */
export function callSentence({ name, arguments: args, state }: CallStep): string {
  const [running, done, failed] = verbs[name] ?? [`Runs ${name}`, `Ran ${name}`, `Could not run ${name}`];
  const words = { running, done, failed }[state];
  const subject = [args['plugin_id'], args['collection_name'], args['kind']].find((each) => typeof each === 'string');
  return subject === undefined ? words : `${words}: ${subject}`;
}

export const severityWords: Record<UncertaintySeverity, { label: string; help: string }> = {
  blocking: { label: 'Blocks applying', help: 'The pipeline is not applied while this is open.' },
  notable: { label: 'Worth a look', help: 'The pipeline can be applied; this may matter to you.' },
  info: { label: 'Good to know', help: 'Nothing that has to be done.' },
};

export const resolutions = [
  { value: 'user_confirmed', label: 'It is fine as it is' },
  { value: 'pipeline_adjusted', label: 'The pipeline was adjusted' },
] as const;

const resolvedWords: Record<string, string> = {
  user_confirmed: 'Fine as it is',
  pipeline_adjusted: 'The pipeline was adjusted',
  validated_again: 'Tried again since',
};

export const resolvedByWords = (resolvedBy: string | null): string =>
  resolvedBy === null ? 'Resolved' : (resolvedWords[resolvedBy] ?? resolvedBy);

/** The settings where a failure can be cured. */
export function settingsFor(code: string): 'models' | 'usage' | undefined {
  if (code === 'budget_exhausted') return 'usage';
  return curedByModel.has(code) ? 'models' : undefined;
}

/** Others pass by themselves. */
const curedByModel = new Set([
  'model_not_enabled',
  'models_not_listed',
  'model_refused',
  'model_quota_exhausted',
  'model_unreachable',
  'model_bad_answer',
]);
