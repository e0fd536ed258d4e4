import type { OfferedPrompt } from '@docwright/agent-core';
import type { Connection } from 'mongoose';
import { createPromptRepositories, type PromptRepository } from '../prompts/index.ts';
import { createSchemaRepositories } from '../schemas/index.ts';

/** Per database query; all pages are read. */
const pageSize = 100;
const maxFields = 40;

/** The prompts that a pipeline can extract with: those with a schema and without a pending review. */
export function createOfferedPrompts(connection: Connection): (organizationId: string) => Promise<OfferedPrompt[]> {
  const promptsOf = createPromptRepositories(connection);
  const schemasOf = createSchemaRepositories(connection);
  return async (organizationId) => {
    const revisions = await allPrompts(promptsOf(organizationId));
    const offered = revisions.map(async ({ revid, name, content }): Promise<OfferedPrompt[]> => {
      if (content.schema_revid === undefined) return [];
      const schema = await schemasOf(organizationId).get(content.schema_revid);
      const properties = schema?.content.json_schema.schema['properties'];
      const fields = Object.keys(typeof properties === 'object' ? (properties ?? {}) : {}).slice(0, maxFields);
      return schema === undefined ? [] : [{ prompt_revid: revid, name, fields }];
    });
    return (await Promise.all(offered)).flat();
  };
}

async function allPrompts(prompts: Pick<PromptRepository, 'list'>) {
  const all: Awaited<ReturnType<PromptRepository['list']>>['revisions'] = [];
  for (;;) {
    const { revisions } = await prompts.list({ skip: all.length, limit: pageSize });
    all.push(...revisions);
    if (revisions.length < pageSize) return all;
  }
}
