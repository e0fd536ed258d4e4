/** Names of parts of a change in the words of the interface. */
const partNames = new Map([
  ['tag_ids', 'tags'],
  ['on_arrival', 'what it starts'],
  ['never_to_model', 'whether models see it'],
  ['auto_create', 'whether proposals are made'],
  ['connector', 'where its files are'],
  ['every', 'how often'],
  ['cron', 'the times'],
  ['when', 'what it fits'],
  ['then', 'what it does'],
  ['prompt_id', 'prompt'],
  ['max_documents', 'the number of documents'],
  ['on_ask', 'what waits in the Inbox'],
  ['min_confidence', 'how sure it must be'],
  ['display_name', 'name'],
  ['base_url', 'address'],
  ['is_local', 'whether it is in the house'],
  ['litellm_models_enabled', 'the models in use'],
  ['litellm_models_chat_agent', 'the models for chat'],
  ['litellm_models_vision', 'the models that see'],
  ['maxWrong', 'how much can be wrong'],
  ['document_id', 'document'],
  ['due_at', 'when it is due'],
  ['spu_limit', 'the limit in SPU'],
  ['cost_limit_micros', 'the limit in money'],
  ['period', 'what is counted'],
  ['keep_conversations_days', 'how long conversations are kept'],
  ['reasoning', 'how much models think'],
]);

/**
 * What a form's user has seen of a stored object, so that saving replaces nothing that they have not seen.
 *
 * @example
 * const seen = seenState({ name: 'A' });
 * seen.check({ name: 'C' }, { name: 'B' }); // throws; the same again does not
 */
export function seenState<Stored extends object>(opened: Stored) {
  let seen = opened;
  return {
    saw(stored: Stored): void {
      seen = stored;
    },
    /**
     * Throws an error that names the parts of a change that somebody else has changed to something else since. The user has
     * seen them then: the same change passes the next time, unless somebody else has changed them again.
     *
     * @param present the object as it is stored now
     */
    check(change: object, present: Stored): void {
      const [before, now] = [textsOf(seen), textsOf(present)];
      const replaced = Object.entries(change)
        .filter(([part, value]) => now.get(part) !== before.get(part) && now.get(part) !== JSON.stringify(value))
        .map(([part]) => partNames.get(part) ?? part.replaceAll('_', ' '));
      seen = present;
      if (replaced.length === 0) return;
      throw new Error(
        `Somebody else has changed this since you opened it: ${replaced.join(', ')}. Save again to replace that, or open it again to see it.`,
      );
    },
  };
}

/** The parts of a change as they were read: a server that has other ones by then answers 409 `version_conflict`. */
export function asSeen<Change extends object>(change: Change, read: object | undefined) {
  const before = new Map<string, unknown>(Object.entries(read ?? {}));
  return { ...change, seen: Object.fromEntries(Object.keys(change).map((part) => [part, before.get(part) ?? null])) };
}

export type SeenState<Stored extends object> = Pick<ReturnType<typeof seenState<Stored>>, 'check'>;

const textsOf = (stored: object) => new Map(Object.entries(stored).map(([key, value]) => [key, JSON.stringify(value)]));
