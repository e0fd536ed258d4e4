import type { DocumentRepository } from '../documents/index.ts';
import type { PromptContent, PromptRepository } from '../prompts/index.ts';
import type { SchemaRepository } from '../schemas/index.ts';
import type { TagRepository } from '../tags/index.ts';
import type { IsUndone } from '../../turn-writes/undoable-records.ts';

interface ObstacleDependencies {
  schemasOf: (organizationId: string) => Pick<SchemaRepository, 'getCurrent'>;
  promptsOf: (organizationId: string) => Pick<PromptRepository, 'list'>;
  tagsOf: (organizationId: string) => Pick<TagRepository, 'get'>;
  documentsOf: (organizationId: string) => Pick<DocumentRepository, 'list'>;
}

const page = { skip: 0, limit: 100 };

/** Finds why a record cannot be removed or restored: others use it now, or what it used was deleted. */
export function createUndoObstacles({ schemasOf, promptsOf, tagsOf, documentsOf }: ObstacleDependencies) {
  async function missingTags(organizationId: string, tagIds: string[]): Promise<string[]> {
    const tags = await Promise.all(tagIds.map((id) => tagsOf(organizationId).get(id)));
    return tagIds.filter((_, index) => tags[index] === undefined);
  }

  return {
    missingTags,
    /** `content` is null if the undo removes the schema. */
    ofSchema: async (
      organizationId: string,
      { id, content }: { id: string; content: unknown },
      isUndone: IsUndone,
    ): Promise<string[]> => {
      if (content !== null) return [];
      const { revisions } = await promptsOf(organizationId).list({ ...page, schema_id: id, review: 'any' });
      return revisions
        .filter((prompt) => !isUndone('prompt', prompt.artifact_id))
        .map((prompt) => `the prompt “${prompt.name}” uses the schema now`);
    },
    ofPrompt: async (
      organizationId: string,
      { content }: { content: PromptContent | null },
      isUndone: IsUndone,
    ): Promise<string[]> => {
      if (content === null) return [];
      const missing = await missingTags(organizationId, content.tag_ids);
      const lacksTag = missing.some((id) => !isUndone('tag', id));
      const { schema_id } = content;
      const lacksSchema =
        schema_id !== undefined &&
        !isUndone('schema', schema_id) &&
        (await schemasOf(organizationId).getCurrent(schema_id)) === undefined;
      return [
        ...(lacksTag ? ['a tag that the prompt had has been deleted'] : []),
        ...(lacksSchema ? ['the schema that the prompt used has been deleted'] : []),
      ];
    },
    usersOfTag: async (organizationId: string, tagId: string, isUndone: IsUndone): Promise<string[]> => {
      const query = { ...page, tag_ids: [tagId] };
      const prompts = await promptsOf(organizationId).list({ ...query, review: 'any' });
      const documents = await documentsOf(organizationId).list(query);
      return [
        ...prompts.revisions
          .filter((prompt) => !isUndone('prompt', prompt.artifact_id))
          .map((prompt) => `the prompt “${prompt.name}”`),
        ...documents.documents
          .filter((document) => !isUndone('document', document.id))
          .map((document) => `the document “${document.document_name}”`),
      ];
    },
  };
}
