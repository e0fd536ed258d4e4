import { DomainError, type Preview } from '@docwright/contract';
import { defineTool, emittedEffect, type Tool, type ToolContext } from '../tool/tool.ts';
import { undefinedOnDomainError } from '../tool/undefined-on-domain-error.ts';
import type { Toolset } from '../tool/toolset.ts';
import { checkPlan, needsOf, planParameters, type PlanStep } from './plan-steps.ts';
import { runPlanName } from './run-plan.ts';
import { fillPlaces, openPlaces } from './slots.ts';
import { valuesOf } from './called-steps.ts';

type PlanPreview = Extract<Preview, { kind: 'plan' }>;
type StepPreview = PlanPreview['steps'][number];

/** The tool that asks the user to approve several calls at once. `tools` are the tools that steps can name. */
export function createProposePlan<Services>(tools: () => Toolset<Services>): Tool<Services> {
  return defineTool({
    name: 'propose_plan',
    description:
      'Asks the person once to approve several calls. Use it if a request needs three or more writes. A step names a tool and its arguments. An argument can be {"$from":"<id of an earlier step>","path":"schema_id"} for a value that the step returns, or {"$model":"json","max_length":2000} for text that you write later. After approval, call run_plan with the id of each step: its arguments are filled in, and it runs once without asking. Other calls ask as usual.',
    effect: 'write',
    target: 'new',
    argumentRoles: { title: 'content', steps: 'content' },
    proposesPlan: true,
    parameters: planParameters,
    summarize: ({ title, steps }) => `Plan: ${title} (${steps.length === 1 ? '1 step' : `${steps.length} steps`})`,
    check: async (context: ToolContext<Services>, { steps }) => {
      checkPlan(tools(), steps);
      for (const step of steps) await checkStep(tools(), context, step);
    },
    preview: async (context: ToolContext<Services>, { title, steps }): Promise<Preview> => {
      const shown: StepPreview[] = [];
      for (const step of steps) shown.push(await stepPreview(tools(), context, step));
      return { kind: 'plan', title, steps: shown };
    },
    execute: async ({ isApproved }: ToolContext<Services>, { title, steps }) =>
      isApproved === true
        ? {
            plan: title,
            approved_steps: steps.map(grantedStep),
            next: `Run these steps in their order by their ids: ${runPlanName} ${JSON.stringify({ step_id: steps[0]!.id })}. Their arguments are filled in, as the person approved them. Where a step has "write", give those arguments in "values". Steps that are missing here were struck by the person: leave them out.`,
          }
        : {
            plan: title,
            next: 'The plan needed no approval, so it allows nothing. Make the calls; each is decided by itself.',
          },
  });
}

/** The tool and parsed arguments of a step without open places; undefined for other steps. */
export function literalArguments<Services>(
  tools: Pick<Toolset<Services>, 'get'>,
  step: PlanStep,
): { tool: Tool<Services>; args: Record<string, unknown> } | undefined {
  const tool = tools.get(step.tool);
  if (tool === undefined || openPlaces(step.arguments).places.length > 0) return undefined;
  const { data } = tool.parameters.safeParse(step.arguments);
  return data && { tool, args: data };
}

/**
 * The arguments of a step that choose what it works on, if all of them are literal; undefined for other steps. What is open
 * or what the user edits then only fills: the step works on the same objects.
 */
export function choosingArguments<Services>(
  tools: Pick<Toolset<Services>, 'get'>,
  step: PlanStep,
): { tool: Tool<Services>; args: Record<string, unknown> } | undefined {
  const tool = tools.get(step.tool);
  if (tool === undefined) return undefined;
  const fills = (name: string): boolean => {
    const role = tool.argumentRoles?.[name];
    return role === 'content' || role === 'setting' || role === 'field';
  };
  const { places } = openPlaces(step.arguments);
  if (places.some(({ path: [name = ''] }) => !fills(name))) return undefined;
  return { tool, args: Object.fromEntries(Object.entries(step.arguments).filter(([name]) => !fills(name))) };
}

/** A step as the model reads it after the approval, without the arguments, which it wrote itself. */
function grantedStep(step: PlanStep) {
  const after = needsOf(step);
  const write = valuesOf(step).map(({ path, maxLength }) => `${path.join('.')} (at most ${maxLength} characters)`);
  return { id: step.id, tool: step.tool, ...(after.length > 0 && { after }), ...(write.length > 0 && { write }) };
}

/** Checks a literal step against the rules of the domain, so that no user approves a call that must fail. */
async function checkStep<Services>(
  tools: Toolset<Services>,
  context: ToolContext<Services>,
  step: PlanStep,
): Promise<void> {
  const literal = literalArguments(tools, step);
  try {
    if (literal !== undefined) await literal.tool.check?.(context, literal.args);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new DomainError('invalid', 'invalid_plan', `Step "${step.id}": ${error.message}`);
  }
}

async function stepPreview<Services>(
  tools: Toolset<Services>,
  context: ToolContext<Services>,
  step: PlanStep,
): Promise<StepPreview> {
  const tool = tools.get(step.tool);
  const literal = literalArguments(tools, step);
  const preview = literal && (await undefinedOnDomainError(() => literal.tool.preview?.(context, literal.args)));
  return {
    id: step.id,
    tool: step.tool,
    effect: emittedEffect(tool?.effect ?? 'write'),
    summary: summaryOf(tool, step, context.services),
    why: step.why,
    arguments: JSON.stringify(step.arguments),
    needs: needsOf(step),
    open: openPlaces(step.arguments).places.map(({ path, slot }) => ({
      path: path.join('.'),
      ...('$from' in slot ? { from: { step_id: slot.$from, path: slot.path } } : { max_length: slot.max_length }),
    })),
    ...(preview && preview.kind !== 'plan' && { preview }),
  };
}

/** The summary of a step. Falls back to the tool's name if the tool cannot summarize unfilled arguments. */
function summaryOf<Services>(tool: Tool<Services> | undefined, step: PlanStep, services: Services): string {
  const named = step.tool.replaceAll('_', ' ');
  const filled = fillPlaces(step.arguments, () => '…') as Record<string, unknown>;
  try {
    return tool?.summarize?.(filled, services) ?? named;
  } catch {
    return named;
  }
}
