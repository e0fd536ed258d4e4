import type { Conversation, Outcome } from '../plan/conversation.ts';
import { use, type Plan } from '../plan/plan.ts';
import { listOf, textOf } from './read-values.ts';

/** Whether the model has been given a pipeline to build with somebody. */
export const buildsPipeline = ({ tools }: Conversation): boolean => tools.has('build_pipeline');

const wantsApply = /\b(apply|go ahead|do it|looks good|that is fine|index it now)\b/iu;
const wantsAnalysis = /\b(analy[sz]e|look at|what is in|inspect|examine)\b/iu;
const wantsValidation = /\b(validate|test|try|check|dry.?run)\b/iu;
const wantsPlugins = /\b(plugins?|parsers?|chunkers?|what can you)\b.*\?/iu;
const wantsPipeline =
  /\b(build|make|create|set ?up|index|search\w*|pipeline|propose|suggest|start|begin|chunk\w*|pages?|headings?|sections?|chapters?)\b/iu;

/** Does what the last message asks for; a pipeline is built from a template after the source was looked at. */
export function* planPipeline({ request, system }: Conversation): Plan {
  const isBuilt = !system.includes('"current_pipeline":null');
  if (wantsApply.test(request)) {
    if (!isBuilt) return 'There is no pipeline to apply yet. Say for example “make it searchable”.';
    const collection_name = /[“"']([^”"']{1,100})[”"']/u.exec(request)?.[1] ?? 'Searchable documents';
    const asked = yield* use('apply_pipeline', { collection_name });
    return asked.kind === 'done' ? 'It is being indexed.' : `I cannot propose to apply it: ${reasonOf(asked)}`;
  }
  if (wantsPlugins.test(request)) {
    const listed = yield* use('list_plugins', {});
    const lines = listed.kind === 'done' ? listOf(listed.value.plugins).map(({ name }) => `- ${textOf(name)}`) : [];
    return `A pipeline can be made of:\n${lines.join('\n')}`;
  }
  if (wantsPipeline.test(request)) return yield* built(request);
  if (wantsAnalysis.test(request)) return told('The source', yield* use('spawn_source_analyzer', {}));
  if (wantsValidation.test(request)) {
    if (!isBuilt) return 'There is no pipeline to try yet. Say for example “make it searchable”.';
    return told('The trial', yield* use('spawn_pipeline_validator', {}));
  }
  return 'I am the built-in demo model: fixed rules, not a language model. Say “analyze the source”, “make it searchable”, “chunk it by headings”, “validate it” or “apply it as "My documents"”.';
}

function* built(request: string): Plan {
  const looked = yield* use('spawn_source_analyzer', {});
  const listed = yield* use('list_templates', {});
  const templates = listed.kind === 'done' ? listOf(listed.value.templates) : [];
  const wanted = /\bpages?\b/iu.test(request)
    ? 'pages'
    : /\b(heading|section|chapter)/iu.test(request)
      ? 'chapters'
      : 'mixed';
  const template = templates.find(({ id }) => id === wanted) ?? templates[0];
  if (template === undefined) return 'I have no template to begin with.';
  const { parsers, chunker, embedder } = template.pipeline as Record<string, unknown>;
  const kept = yield* use('build_pipeline', { parsers, chunker, embedder });
  if (kept.kind !== 'done') return `I could not build the pipeline: ${reasonOf(kept)}`;
  const tried = yield* use('spawn_pipeline_validator', {});
  const said = [told('The source', looked), `I propose “${textOf(template.name)}”: ${textOf(template.description)}`];
  return [...said, told('The trial', tried), 'Apply it, or tell me what to change.'].join('\n\n');
}

function told(what: string, outcome: Outcome): string {
  if (outcome.kind !== 'done') return `${what}: it could not be looked at. ${reasonOf(outcome)}`;
  return `${what}: ${textOf(outcome.value.summary)}`;
}

function reasonOf(outcome: Outcome): string {
  if (outcome.kind === 'failed') return outcome.error;
  return outcome.kind === 'rejected' ? outcome.reason : '';
}
