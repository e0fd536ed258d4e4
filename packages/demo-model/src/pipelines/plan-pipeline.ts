import type { RuleInput } from '../conversation/conversation.ts';
import type { Outcome } from '../conversation/outcome.ts';
import { type PlanOfSteps, type BatchSteps, use } from '../conversation/plan.ts';
import { introduction } from '../conversation/small-talk.ts';
import { listOf, textOf } from './read-values.ts';

/** Whether the request is for building a pipeline with a user. */
export const buildsPipeline = ({ tools }: RuleInput): boolean => tools.has('build_pipeline');

const wantsApply = /\b(apply|go ahead|do it|looks good|that is fine|index it now)\b/iu;
const wantsAnalysis = /\b(analy[sz]e|look at|what is in|inspect|examine)\b/iu;
const wantsValidation = /\b(validate|test|try|check|dry.?run)\b/iu;
const wantsPlugins = /\b(plugins?|parsers?|chunkers?|what can you)\b.*\?/iu;
const wantsFields = /\b(extract\w*|fields?|prompts?)\b/iu;
const wantsPipeline =
  /\b(build|make|create|set ?up|index|search\w*|pipeline|propose|suggest|start|begin|chunk\w*|pages?|headings?|sections?|chapters?)\b/iu;

/** Carries out the last message. A pipeline is built from a template, after the source was sampled. */
export function* planPipeline({ request, system }: RuleInput): PlanOfSteps {
  const isBuilt = !system.includes('"current_pipeline":null');
  if (wantsApply.test(request)) {
    if (!isBuilt) return 'There is no pipeline to apply yet. Say for example “make it searchable”.';
    return yield* applyPipeline(request);
  }
  if (wantsPlugins.test(request)) return yield* listPlugins();
  // The state contains the analysis, or names it when an earlier result in the conversation contains it.
  const isAnalyzed = /"source_analysis":[{"]/u.test(system);
  if (wantsPipeline.test(request)) return yield* buildFromTemplate(request, isAnalyzed);
  if (wantsFields.test(request))
    return isBuilt ? yield* addFields(request) : yield* buildFromTemplate(request, isAnalyzed);
  if (wantsAnalysis.test(request)) return describe('The source', yield* use('spawn_source_analyzer', {}));
  if (wantsValidation.test(request)) {
    if (!isBuilt) return 'There is no pipeline to try yet. Say for example “make it searchable”.';
    return describeTrial('The trial', yield* use('spawn_pipeline_validator', {})).join('\n\n');
  }
  return `${introduction} Say “analyze the source”, “make it searchable”, “chunk it by headings”, “extract the fields as well”, “validate it” or “apply it as "My documents"”.`;
}

function* applyPipeline(request: string): PlanOfSteps {
  const collection_name = /[“"']([^”"']{1,100})[”"']/u.exec(request)?.[1] ?? 'Searchable documents';
  const applied = yield* use('apply_pipeline', { collection_name });
  return applied.kind === 'done' ? 'It is being indexed.' : `I cannot propose to apply it: ${reasonOf(applied)}`;
}

function* listPlugins(): PlanOfSteps {
  const listed = yield* use('list_plugins', {});
  const lines = listed.kind === 'done' ? listOf(listed.value.plugins).map(({ name }) => `- ${textOf(name)}`) : [];
  return `A pipeline can be made of:\n${lines.join('\n')}`;
}

function* buildFromTemplate(request: string, isAnalyzed: boolean): PlanOfSteps {
  const analysis = isAnalyzed ? undefined : yield* use('spawn_source_analyzer', {});
  const listed = yield* use('list_templates', {});
  const templates = listed.kind === 'done' ? listOf(listed.value.templates) : [];
  const template = templates.find(({ id }) => id === templateIdFor(request)) ?? templates[0];
  if (template === undefined) return 'I have no template to begin with.';
  const prompt = wantsFields.test(request) ? promptFor(request, listed) : undefined;
  const extract = prompt && { extract: { prompt_revid: prompt.prompt_revid } };
  const built = yield* use('build_pipeline', { template: template.id, ...extract });
  if (built.kind !== 'done') return `I could not build the pipeline: ${reasonOf(built)}`;
  return [
    ...(analysis === undefined ? [] : [describe('The source', analysis)]),
    `I propose “${textOf(template.name)}”: ${textOf(template.description)}`,
    ...(wantsFields.test(request) ? [describeFields(prompt)] : []),
    ...(yield* tryAndImprove()),
  ].join('\n\n');
}

function templateIdFor(request: string): string {
  if (/\bpages?\b/iu.test(request)) return 'pages';
  return /\b(heading|section|chapter)/iu.test(request) ? 'chapters' : 'mixed';
}

/** Adds the fields of a prompt to the built pipeline. */
function* addFields(request: string): PlanOfSteps {
  const listed = yield* use('list_templates', {});
  const prompt = promptFor(request, listed);
  if (prompt === undefined) return describeFields(prompt);
  const built = yield* use('build_pipeline', { extract: { prompt_revid: prompt.prompt_revid } });
  if (built.kind !== 'done') return `I could not build the pipeline: ${reasonOf(built)}`;
  return [describeFields(prompt), ...(yield* tryAndImprove())].join('\n\n');
}

/** Tests the built pipeline. When the test finds a better one, builds and tests that one. Returns paragraphs. */
function* tryAndImprove(): BatchSteps<string[]> {
  const first = yield* use('spawn_pipeline_validator', {});
  const better = listOf(dataOf(first).alternatives).find(
    ({ failed, failed_before }) => Number(failed) < Number(failed_before),
  );
  if (better === undefined) return describeTrial('The trial', first);
  const built = yield* use('build_pipeline', better.pipeline as Record<string, unknown>);
  if (built.kind !== 'done') return describeTrial('The trial', first);
  const second = yield* use('spawn_pipeline_validator', {});
  const changed = 'I have changed the pipeline accordingly.';
  return [describe('The trial', first), changed, ...describeTrial('The second trial', second)];
}

/** The result of a trial, its fixes, and the user's next step, each in a paragraph. */
function describeTrial(subject: string, outcome: Outcome): string[] {
  const fixes = listOf(dataOf(outcome).categories)
    .map(({ fix }) => textOf(fix))
    .filter((fix) => fix !== '');
  const uncertainties = outcome.kind === 'done' ? listOf(outcome.value.uncertainties) : [];
  const isBlocked = uncertainties.some(({ severity }) => severity === 'blocking');
  return [
    describe(subject, outcome),
    ...(fixes.length === 0 ? [] : [fixes.map((fix) => `- ${fix}`).join('\n')]),
    isBlocked
      ? 'Too few documents succeeded. Change the pipeline and have me try again, or decide that it is good enough.'
      : 'Apply it, or tell me what to change.',
  ];
}

function dataOf(outcome: Outcome): Record<string, unknown> {
  const data = outcome.kind === 'done' ? outcome.value.data : undefined;
  return typeof data === 'object' && data !== null ? { ...data } : {};
}

/** The prompt named in the request, otherwise one that shares a word with the request, otherwise the only one. */
function promptFor(request: string, listed: Outcome): Record<string, unknown> | undefined {
  const prompts = listed.kind === 'done' ? listOf(listed.value.prompts) : [];
  const text = request.toLowerCase();
  const longWordsIn = (name: string) => name.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
  return (
    prompts.find(({ name }) => textOf(name) !== '' && text.includes(textOf(name).toLowerCase())) ??
    prompts.find(({ name }) => longWordsIn(textOf(name)).some((word) => text.includes(word))) ??
    (prompts.length === 1 ? prompts[0] : undefined)
  );
}

function describeFields(prompt: Record<string, unknown> | undefined): string {
  return prompt === undefined
    ? 'No prompt with a schema fits. Make one with the agent of a document, or name one of yours.'
    : `Beside the text, the fields of “${textOf(prompt.name)}” can be searched: a model call for each document.`;
}

function describe(subject: string, outcome: Outcome): string {
  if (outcome.kind !== 'done') return `${subject}: the check failed. ${reasonOf(outcome)}`;
  return `${subject}: ${textOf(outcome.value.summary)}`;
}

function reasonOf(outcome: Outcome): string {
  if (outcome.kind === 'failed') return outcome.error;
  return outcome.kind === 'rejected' ? outcome.reason : '';
}
