import type { AgentConversationStatus, UncertaintySeverity } from '@docwright/contract';
import type { Tone } from '../../../shared/formats/run-labels.ts';
import type { CallStep } from './setup-state.ts';

export function statusLabel({ status, is_running }: { status: AgentConversationStatus; is_running: boolean }): {
  label: string;
  tone: Tone;
} {
  if (is_running) return { label: 'Working', tone: 'busy' };
  if (status === 'applied') return { label: 'Applied', tone: 'good' };
  return status === 'active' ? { label: 'Open', tone: 'neutral' } : { label: 'Abandoned', tone: 'warn' };
}

const agents: [prefix: string, name: string][] = [
  ['source_analyzer', 'Analyzing the source'],
  ['pipeline_validator', 'Testing the pipeline'],
];

/** The title of a sub-agent. */
export function subAgentLabel(agentId: string): string {
  return agents.find(([prefix]) => agentId.startsWith(prefix))?.[1] ?? agentId.replaceAll('_', ' ');
}

const verbs: Record<string, [running: string, done: string, failed: string]> = {
  list_plugins: ['Listing plugins', 'Listed plugins', 'Could not list plugins'],
  get_plugin_details: ['Reading the plugin', 'Read the plugin', 'Could not read the plugin'],
  list_templates: ['Listing templates', 'Listed templates', 'Could not list templates'],
  get_pipeline_state: ['Checking the current state', 'Checked the current state', 'Could not check the state'],
  build_pipeline: ['Designing a pipeline', 'Proposed a pipeline', 'Could not propose a pipeline'],
  // Shown only if no sub-agent was started; otherwise its card is shown.
  spawn_source_analyzer: ['Analyzing the source', 'Analyzed the source', 'Could not analyze the source'],
  spawn_pipeline_validator: ['Testing the pipeline', 'Tested the pipeline', 'Could not test the pipeline'],
  apply_pipeline: ['Asking to apply', 'Asked to apply', 'Could not ask to apply'],
};

/** Describes a call, followed by its subject. */
export function callSentence({ name, arguments: args, state }: CallStep): string {
  const [running, done, failed] = verbs[name] ?? [`Running ${name}`, `Ran ${name}`, `Could not run ${name}`];
  const words = { running, done, failed }[state];
  const subject = [args['plugin_id'], args['collection_name'], args['kind']].find((each) => typeof each === 'string');
  return subject === undefined ? words : `${words}: ${subject}`;
}

export const severityLabels: Record<UncertaintySeverity, { label: string; help: string }> = {
  blocking: { label: 'Blocks applying', help: 'Resolve this before you apply the pipeline.' },
  notable: { label: 'Worth a look', help: 'Does not block applying, but may matter to you.' },
  info: { label: 'Info', help: 'No action needed.' },
};

export const resolutions = [
  { value: 'user_confirmed', label: 'Accept as is' },
  { value: 'pipeline_adjusted', label: 'The pipeline was adjusted' },
] as const;

const resolutionLabels: Record<string, string> = {
  user_confirmed: 'Accepted as is',
  pipeline_adjusted: 'The pipeline was adjusted',
  validated_again: 'Tested again',
};

export const resolutionLabel = (resolvedBy: string | null): string =>
  resolvedBy === null ? 'Resolved' : (resolutionLabels[resolvedBy] ?? resolvedBy);

/** The section of the settings where an error can be fixed. */
export function settingsFor(code: string): 'models' | 'usage' | undefined {
  if (code === 'budget_exhausted' || code === 'model_without_price') return 'usage';
  return fixedInModels.has(code) ? 'models' : undefined;
}

/** Other errors are temporary. */
const fixedInModels = new Set([
  'model_not_enabled',
  'models_not_listed',
  'model_refused',
  'model_quota_exhausted',
  'model_unreachable',
  'model_bad_answer',
]);
