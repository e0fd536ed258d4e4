import type { Evaluation, Passage, PlanStepPreview, Preview, ProposedCall } from '@docwright/contract';
import { createTwoFilesPatch } from 'diff';
import type { Output } from '../terminal/output.ts';
import { printable, printableLine } from '../terminal/terminal-text.ts';

const maxLines = 24;

/** A pending call as lines for a terminal: its action, the resulting changes, and its arguments. */
export function cardLines(
  call: ProposedCall,
  { style }: Pick<Output, 'style'>,
  { place, everything = false }: { place: string; everything?: boolean },
): string[] {
  const head = `${style('bold', printableLine(call.name))} ${style('dim', place)}`;
  const body = [
    ...(call.summary === '' ? [] : printable(call.summary).split('\n')),
    ...(call.preview ? previewLines(call.preview, style, everything) : []),
    ...(call.passages ?? []).map((passage) => style('yellow', passageLine(passage, call.chosen_by_document))),
    // A difference or a list of fields shows the arguments in a form that the user can judge.
    ...(everything || !isCompletePreview(call.preview) ? argumentLines(call.arguments, style, everything) : []),
  ];
  const bar = style('yellow', '│');
  return [`${style('yellow', '┌')} ${head}`, ...body.map((line) => `${bar} ${line}`), style('yellow', '└')];
}

/** The passage that an argument was read from, and whether the document chose the call's target. */
function passageLine({ path, quote, page_num }: Passage, chosen: readonly string[] = []): string {
  const where = page_num === undefined ? '' : `, page ${page_num}`;
  const isChoice = chosen.some((each) => each === path || path.startsWith(`${each}.`));
  const what = isChoice ? 'chosen by the document, not by you' : 'read in the document';
  return `${printableLine(path)} was ${what}${where}: “${printableLine(quote)}”`;
}

/** For example "12 documents: 5 fixed, 0 broken, 96.1 % → 98.4 %", in red if values break. */
export function evaluationLine(
  { state, documents, totals, error }: Evaluation,
  { style }: Pick<Output, 'style'>,
): string {
  const { fixed, broken, accuracy_before, accuracy_after } = totals;
  const { done, total, failed } = documents;
  const of = done === total ? `${done}` : `${done} of ${total}`;
  const how = state === 'completed' ? '' : ` (${state}${error ? `: ${printableLine(error.message)}` : ''})`;
  const unmeasured = failed === 0 ? '' : `, ${failed} could not be measured`;
  const line = `${of} ${total === 1 ? 'document' : 'documents'}: ${fixed} fixed, ${broken} broken, ${percent(accuracy_before)} → ${percent(accuracy_after)}${unmeasured}${how}`;
  return style(broken > 0 ? 'red' : state === 'completed' && failed === 0 ? 'green' : 'yellow', line);
}

/** Formats a share from 0 to 1. */
export const percent = (share: number | null): string => (share === null ? '–' : `${(share * 100).toFixed(1)} %`);

function isCompletePreview(preview: Preview | undefined): boolean {
  return (
    preview?.kind === 'difference' ||
    preview?.kind === 'field' ||
    preview?.kind === 'replace' ||
    preview?.kind === 'cost' ||
    preview?.kind === 'plan'
  );
}

function previewLines(preview: Preview, style: Output['style'], everything: boolean): string[] {
  switch (preview.kind) {
    case 'create': {
      const [first, ...others] = preview.collides_with;
      if (first === undefined) return [];
      const more = others.length === 0 ? '' : ` and ${others.length} more`;
      return [style('yellow', `The name already exists: ${printableLine(first.name)} (${first.id})${more}`)];
    }
    case 'difference':
      return [
        ...limited(differenceLines(preview, style), everything),
        ...schemaUseLines(preview, style),
        ...evaluationLines(preview, style),
      ];
    case 'field': {
      const where = preview.page_num === null ? 'nowhere on the pages' : `page ${preview.page_num}`;
      return [
        `${style('bold', printableLine(preview.path))} ${style('dim', `(${where})`)}`,
        style('red', `- ${printable(asText(preview.old_value))}`),
        style('green', `+ ${printable(asText(preview.new_value))}`),
      ];
    }
    case 'replace': {
      const { version, is_verified, value_count, edited_count, edited_values, cost } = preview;
      const what = is_verified ? 'verified' : 'edited';
      const head = `Replaces a result that a user has ${what}: version ${version}, ${value_count} values, ${edited_count} of them edited.`;
      const values = edited_values.map(
        ({ path, original_value, edited_value }) =>
          `  ${printableLine(path)}: ${printable(asText(edited_value))} (extracted as ${printable(asText(original_value))})`,
      );
      const costs = cost === undefined ? [] : [style('yellow', printableLine(cost))];
      return [style('yellow', head), ...costs, ...limited(values, everything)];
    }
    case 'cost':
      return [style('yellow', printableLine(preview.message))];
    case 'plan':
      return limited(
        preview.steps.flatMap((step, at) => planStepLines(step, at + 1, style)),
        everything,
      );
    case 'delete': {
      const count = preview.dependent_count ?? preview.dependents.length;
      const dependents = preview.dependents.map(({ kind, name }) => `  ${printableLine(kind)} ${printableLine(name)}`);
      const what = count === 0 ? 'Nothing depends on it.' : `${count} depend${count === 1 ? 's' : ''} on it:`;
      return [style('red', `Deletes ${printableLine(preview.name)}. ${what}`), ...limited(dependents, everything)];
    }
    default:
      // A newer server can send kinds of previews that this command does not know.
      return [];
  }
}

/** A step of a plan: its summary, its open places, and passages of the document. */
function planStepLines(step: PlanStepPreview, number: number, style: Output['style']): string[] {
  const open = step.open.map(({ path, from, max_length }) =>
    from === undefined
      ? `${printableLine(path)} written later, at most ${max_length} characters`
      : `${printableLine(path)} from step ${printableLine(from.step_id)}`,
  );
  const read = (step.passages ?? []).map(
    ({ path, quote }) => `${printableLine(path)} was read in the document: “${printableLine(quote)}”`,
  );
  return [
    `${number}. ${printableLine(step.summary)}`,
    ...(open.length === 0 ? [] : [style('dim', `   ${open.join(' · ')}`)]),
    ...read.map((line) => style('yellow', `   ${line}`)),
  ];
}

/** The prompts that use a changed schema, and whether they move to its new version. */
function schemaUseLines(
  { schema_use: use }: Extract<Preview, { kind: 'difference' }>,
  style: Output['style'],
): string[] {
  if (use === undefined) return [];
  const named = use.prompts.map(({ name, schema_version }) => `${printableLine(name)} (version ${schema_version})`);
  const what = use.moves_prompts ? 'Moved to the new version' : 'These prompts stay on their version';
  return [style(use.moves_prompts ? 'dim' : 'yellow', `${what}: ${named.join(', ')}`)];
}

function evaluationLines(
  { evaluation: measured }: Extract<Preview, { kind: 'difference' }>,
  style: Output['style'],
): string[] {
  if (measured === undefined) return [];
  const { verified_documents, spu_estimated, evaluation, evaluations, stale } = measured;
  if (evaluation === undefined) {
    const count = `${verified_documents} verified ${verified_documents === 1 ? 'document' : 'documents'}`;
    if (verified_documents === 0) return [style('dim', 'Not measured: no result is verified yet.')];
    return [style('dim', `Not measured. ${count}, about ${spu_estimated} SPU.`)];
  }
  const all = evaluations?.map((each) => each.evaluation) ?? [evaluation];
  const outdated = stale === true ? [style('yellow', 'Out of date: something has changed since.')] : [];
  return [...all.map((each) => evaluationLine(each, { style })), ...outdated];
}

function differenceLines(
  { title, before, after }: Extract<Preview, { kind: 'difference' }>,
  style: Output['style'],
): string[] {
  const patch = createTwoFilesPatch('before', 'after', `${before}\n`, `${after}\n`, undefined, undefined, {
    context: 2,
  });
  const lines = printable(patch).split('\n').slice(3);
  const shown = lines.filter((line) => line !== '' && !line.startsWith('\\'));
  return [style('bold', printableLine(title)), ...shown.map((line) => coloured(line, style))];
}

function coloured(line: string, style: Output['style']): string {
  if (line.startsWith('+')) return style('green', line);
  if (line.startsWith('-')) return style('red', line);
  return line.startsWith('@@') ? style('cyan', line) : line;
}

function argumentLines(json: string, style: Output['style'], everything: boolean): string[] {
  const lines = everything ? undefined : fieldLines(json);
  return limited(lines ?? printable(indented(json)).split('\n'), everything).map((line) => style('dim', line));
}

/** A schema as a list of fields, which is shorter and easier to read than JSON. */
function fieldLines(json: string): string[] | undefined {
  try {
    const { response_format } = JSON.parse(json) as { response_format?: { json_schema?: { schema?: unknown } } };
    return schemaLines(response_format?.json_schema?.schema);
  } catch {
    return undefined;
  }
}

/** A JSON string in readable form; other text unchanged. */
export function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
}

function limited(lines: string[], everything: boolean): string[] {
  if (everything || lines.length <= maxLines) return lines;
  return [...lines.slice(0, maxLines - 1), `… ${lines.length - maxLines + 1} more lines`];
}

interface Node {
  type?: unknown;
  description?: unknown;
  properties?: unknown;
  items?: unknown;
  enum?: unknown;
}

/**
 * The fields of a JSON schema, one a line: `invoice_number  string?  Number of the invoice`. A question mark means
 * nullable. Undefined when this is not the schema of an object.
 */
function schemaLines(schema: unknown, indent = ''): string[] | undefined {
  const properties = propertiesOf(schema);
  if (properties === undefined) return undefined;
  const width = Math.max(...properties.map(([name]) => name.length));
  return properties.flatMap(([name, node]) => {
    const description = typeof node.description === 'string' ? `  ${printableLine(node.description)}` : '';
    const line = `${indent}${printableLine(name).padEnd(width)}  ${typeOf(node)}${description}`;
    return [line, ...(schemaLines(node, `${indent}  `) ?? schemaLines(node.items, `${indent}  `) ?? [])];
  });
}

function propertiesOf(schema: unknown): [string, Node][] | undefined {
  const properties = typeof schema === 'object' && schema !== null ? (schema as Node).properties : undefined;
  if (typeof properties !== 'object' || properties === null) return undefined;
  const entries = Object.entries(properties).filter(
    (entry): entry is [string, Node] => typeof entry[1] === 'object' && entry[1] !== null,
  );
  return entries.length === 0 ? undefined : entries;
}

function typeOf({ type, enum: choices }: Node): string {
  const types = (Array.isArray(type) ? type : [type]).filter((name) => typeof name === 'string');
  const names = types.filter((name) => name !== 'null').map(printableLine);
  const shown = Array.isArray(choices) ? 'one of' : names.join(' or ') || 'any';
  const of = Array.isArray(choices) ? ` ${printableLine(JSON.stringify(choices))}` : '';
  return `${shown}${of}${types.includes('null') ? '?' : ''}`;
}
