/** What an answer may lead to: a revision of a schema or prompt, a tag, a page of the document. */
export type ThingAddress = { kind: 'schema' | 'prompt' | 'tag'; id: string } | { kind: 'page'; page: number };

const artifact = /^(schema|prompt|tag):([0-9a-f]{24})$/i;
const page = /^page:([1-9]\d{0,4})$/i;

/** Reads `schema:<revision>`, `prompt:<revision>`, `tag:<id>` and `page:<number>`; anything else is no address of ours. */
export function readThingAddress(href: string | undefined): ThingAddress | undefined {
  const thing = artifact.exec(href ?? '');
  if (thing) {
    const [, kind = '', id = ''] = thing;
    return { kind: kind.toLowerCase() as 'schema' | 'prompt' | 'tag', id: id.toLowerCase() };
  }
  const number = page.exec(href ?? '')?.[1];
  return number === undefined ? undefined : { kind: 'page', page: Number(number) };
}
