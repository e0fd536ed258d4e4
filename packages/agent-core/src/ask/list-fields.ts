import { z } from 'zod';
import { defineTool, type ToolContext } from '../tool/tool.ts';
import { fieldValue } from './cells.ts';
import { eachInSteps } from './in-steps.ts';
import type { AskResult, AskServices } from './services.ts';

/** The fields of a result and of the objects in it, without rows of lists. */
function pathsOf(value: unknown, prefix = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return prefix === '' ? [] : [prefix];
  return Object.entries(value).flatMap(([key, child]) => pathsOf(child, prefix === '' ? key : `${prefix}.${key}`));
}

/** So many results show which fields a prompt has. */
const maxSampled = 200;
const maxFields = 100;

/** The paths of the fields of a prompt. */
export const fieldPaths = (results: readonly AskResult[]): string[] =>
  [...new Set(results.slice(0, maxSampled).flatMap(({ result }) => pathsOf(result)))].slice(0, maxFields);

/** So many values of a field are named. */
const maxNamedValues = 5;

async function fieldsOf(results: readonly AskResult[]) {
  const fields = fieldPaths(results).map((field) => ({
    path: field,
    type: 'undefined',
    documents_with_value: 0,
    values: [] as string[],
  }));
  await eachInSteps(results, ({ result }) => {
    for (const field of fields) {
      const value = fieldValue(result, field.path);
      if (value === null || value === undefined) continue;
      if (field.documents_with_value === 0) field.type = Array.isArray(value) ? 'list' : typeof value;
      field.documents_with_value += 1;
      if (field.values.length >= maxNamedValues || typeof value === 'object') continue;
      const text = (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 60);
      if (!field.values.includes(text)) field.values.push(text);
    }
  });
  return fields;
}

export const listFields = defineTool({
  name: 'list_fields',
  description:
    'Lists the prompts that have results in the scope. Returns the fields of each, their types, how many documents have a value, and a few values. Use it when the field names at the end of the request do not tell enough.',
  effect: 'read',
  documentContent: ['values'],
  parameters: z.strictObject({}),
  summarize: () => 'List the fields of the results',
  execute: async ({ services }: ToolContext<AskServices>) => ({
    prompts: await Promise.all(
      (await services.prompts()).map(async (prompt) => {
        const results = await services.results(prompt.prompt_id);
        return { ...prompt, documents: results.length, fields: await fieldsOf(results) };
      }),
    ),
  }),
});
