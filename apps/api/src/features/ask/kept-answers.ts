/** Reads each answer once. A failure is not kept: the next call reads again. */
export function createKeptAnswers<Answer>(read: (key: string) => Promise<Answer>) {
  const kept = new Map<string, Promise<Answer>>();
  return async (key = ''): Promise<Answer> => {
    const known = kept.get(key);
    if (known !== undefined) return await known;
    const answer = read(key);
    kept.set(key, answer);
    try {
      return await answer;
    } catch (error) {
      kept.delete(key);
      throw error;
    }
  };
}
