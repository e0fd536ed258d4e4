export interface Mention {
  type: 'schema' | 'prompt' | 'tag';
  /** A revision id for schemas and prompts, a tag id for tags. */
  id: string;
}

/** The items that a user mentions, by the fences that the system prompt puts around each. */
export function readMentions(system: string): Mention[] {
  const fences = system.matchAll(/^<mention type="(schema|prompt|tag)" id="([\da-fA-F]{24})">$/gmu);
  return [...fences].map(([, type, id]) => ({ type: type as Mention['type'], id: id ?? '' }));
}
