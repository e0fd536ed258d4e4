/** The target of a link in an answer: a revision of a schema or prompt, a tag, or a page of the document. */
export type EntityAddress = { kind: 'schema' | 'prompt' | 'tag'; id: string } | { kind: 'page'; page: number };

const artifact = /^(schema|prompt|tag):([0-9a-f]{24})$/i;
const page = /^page:([1-9]\d{0,4})$/i;

/** Reads `schema:<revision>`, `prompt:<revision>`, `tag:<id>` and `page:<number>`; undefined for any other address. */
export function readEntityAddress(href: string | undefined): EntityAddress | undefined {
  const match = artifact.exec(href ?? '');
  if (match) {
    const [, kind = '', id = ''] = match;
    return { kind: kind.toLowerCase() as 'schema' | 'prompt' | 'tag', id: id.toLowerCase() };
  }
  const number = page.exec(href ?? '')?.[1];
  return number === undefined ? undefined : { kind: 'page', page: Number(number) };
}
