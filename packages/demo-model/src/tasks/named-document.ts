import { fold } from '../page/fold.ts';

const documentLine = /^- "(?<name>.+)" \(document_id (?<id>[\da-f]{24})\)$/gmu;
const shortestName = 4;

/** The document named in a title, with or without its file extension, among those that the model knows. */
export function documentNamed(title: string, system: string): string | undefined {
  const folded = fold(title);
  for (const { groups } of system.matchAll(documentLine)) {
    const name = fold(groups?.name ?? '');
    const bare = name.replace(/\.[a-z\d]{2,5}$/u, '');
    if (bare.length >= shortestName && (folded.includes(name) || folded.includes(bare))) return groups?.id;
  }
  return undefined;
}
