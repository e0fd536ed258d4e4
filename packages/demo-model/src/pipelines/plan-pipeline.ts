import type { Conversation, Outcome } from '../plan/conversation.ts';
import { use, type Move, type Plan } from '../plan/plan.ts';
import { listOf, textOf } from './read-values.ts';

/** Whether the request is for building a pipeline with a user. */
export const buildsPipeline = ({ tools }: Conversation): boolean => tools.has('build_pipeline');

const wantsApply = /\b(apply|go ahead|do it|looks good|that is fine|index it now)\b/iu;
const wantsAnalysis = /\b(analy[sz]e|look at|what is in|inspect|examine)\b/iu;
const wantsValidation = /\b(validate|test|try|check|dry.?run)\b/iu;
const wantsPlugins = /\b(plugins?|parsers?|chunkers?|what can you)\b.*\?/iu;
const wantsFields = /\b(extract\w*|fields?|prompts?)\b/iu;
const wantsPipeline =
  /\b(build|make|create|set ?up|index|search\w*|pipeline|propose|suggest|start|begin|chunk\w*|pages?|headings?|sections?|chapters?)\b/iu;

/** Executes the last message. A pipeline is built from a template after the source was sampled. */
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
  // Where the analysis stands in a result above, the state names that in place of repeating it.
  const isAnalyzed = /"source_analysis":[{"]/u.test(system);
  if (wantsPipeline.test(request)) return yield* built(request, isAnalyzed);
  if (wantsFields.test(request)) return isBuilt ? yield* withFields(request) : yield* built(request, isAnalyzed);
  if (wantsAnalysis.test(request)) return told('The source', yield* use('spawn_source_analyzer', {}));
  if (wantsValidation.test(request)) {
    if (!isBuilt) return 'There is no pipeline to try yet. Say for example “make it searchable”.';
    return trialSaid('The trial', yield* use('spawn_pipeline_validator', {})).join('\n\n');
  }
  return 'I am the built-in demo model: fixed rules, not a language model. Say “analyze the source”, “make it searchable”, “chunk it by headings”, “extract the fields as well”, “validate it” or “apply it as "My documents"”.';
}

function* built(request: string, isAnalyzed: boolean): Plan {
  const looked = isAnalyzed ? undefined : yield* use('spawn_source_analyzer', {});
  const listed = yield* use('list_templates', {});
  const templates = listed.kind === 'done' ? listOf(listed.value.templates) : [];
  const wanted = /\bpages?\b/iu.test(request)
    ? 'pages'
    : /\b(heading|section|chapter)/iu.test(request)
      ? 'chapters'
      : 'mixed';
  const template = templates.find(({ id }) => id === wanted) ?? templates[0];
  if (template === undefined) return 'I have no template to begin with.';
  const prompt = wantsFields.test(request) ? promptFor(request, listed) : undefined;
  const extract = prompt && { extract: { prompt_revid: prompt.prompt_revid } };
  const kept = yield* use('build_pipeline', { template: template.id, ...extract });
  if (kept.kind !== 'done') return `I could not build the pipeline: ${reasonOf(kept)}`;
  return [
    ...(looked === undefined ? [] : [told('The source', looked)]),
    `I propose “${textOf(template.name)}”: ${textOf(template.description)}`,
    ...(wantsFields.test(request) ? [fieldsSaid(prompt)] : []),
    ...(yield* tried()),
  ].join('\n\n');
}

/** The built pipeline, with fields of a prompt beside the text. */
function* withFields(request: string): Plan {
  const listed = yield* use('list_templates', {});
  const prompt = promptFor(request, listed);
  if (prompt === undefined) return fieldsSaid(prompt);
  const kept = yield* use('build_pipeline', { extract: { prompt_revid: prompt.prompt_revid } });
  if (kept.kind !== 'done') return `I could not build the pipeline: ${reasonOf(kept)}`;
  return [fieldsSaid(prompt), ...(yield* tried())].join('\n\n');
}

/** Tests the built pipeline. When the test finds a better one, builds and tests that one. */
function* tried(): Generator<Move, string[], Outcome[]> {
  const first = yield* use('spawn_pipeline_validator', {});
  const better = listOf(dataOf(first).alternatives).find(
    ({ failed, failed_before }) => Number(failed) < Number(failed_before),
  );
  if (better === undefined) return trialSaid('The trial', first);
  const kept = yield* use('build_pipeline', better.pipeline as Record<string, unknown>);
  if (kept.kind !== 'done') return trialSaid('The trial', first);
  const second = yield* use('spawn_pipeline_validator', {});
  const changed = 'I have changed the pipeline accordingly.';
  return [told('The trial', first), changed, ...trialSaid('The second trial', second)];
}

/** The result of the test, an improvement, and the next step. */
function trialSaid(what: string, outcome: Outcome): string[] {
  const fixes = listOf(dataOf(outcome).categories).flatMap(({ fix }) =>
    textOf(fix) === '' ? [] : [`- ${textOf(fix)}`],
  );
  const open = outcome.kind === 'done' ? listOf(outcome.value.uncertainties) : [];
  const isBlocked = open.some(({ severity }) => severity === 'blocking');
  return [
    told(what, outcome),
    ...(fixes.length === 0 ? [] : [fixes.join('\n')]),
    isBlocked
      ? 'That is too few to apply it as it is: mend it and have me try again, or decide that it is good enough.'
      : 'Apply it, or tell me what to change.',
  ];
}

function dataOf(outcome: Outcome): Record<string, unknown> {
  const data = outcome.kind === 'done' ? outcome.value.data : undefined;
  return typeof data === 'object' && data !== null ? { ...data } : {};
}

/** The prompt named in the request, otherwise the only one, otherwise one that shares a word with the request. */
function promptFor(request: string, listed: Outcome): Record<string, unknown> | undefined {
  const prompts = listed.kind === 'done' ? listOf(listed.value.prompts) : [];
  const asked = request.toLowerCase();
  const wordsOf = (text: string) => text.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
  return (
    prompts.find(({ name }) => textOf(name) !== '' && asked.includes(textOf(name).toLowerCase())) ??
    prompts.find(({ name }) => wordsOf(textOf(name)).some((word) => asked.includes(word))) ??
    (prompts.length === 1 ? prompts[0] : undefined)
  );
}

function fieldsSaid(prompt: Record<string, unknown> | undefined): string {
  return prompt === undefined
    ? 'No prompt with a schema fits. Make one with the agent of a document, or name one of yours.'
    : `Beside the text, the fields of “${textOf(prompt.name)}” can be searched: a model call for each document.`;
}

function told(what: string, outcome: Outcome): string {
  if (outcome.kind !== 'done') return `${what}: it could not be looked at. ${reasonOf(outcome)}`;
  return `${what}: ${textOf(outcome.value.summary)}`;
}

function reasonOf(outcome: Outcome): string {
  if (outcome.kind === 'failed') return outcome.error;
  return outcome.kind === 'rejected' ? outcome.reason : '';
}
