import type { Claim } from '@docwright/contract';
import type { MarkdownTree } from '../../../agent-ui/markdown/markdown.tsx';
import { citationsOf } from '../sources/source-labels.ts';

/** The marks `[[id]]` and `[[id, id]]` of an answer. */
const citationMark = /\[\[([^[\]]{1,400})\]\]/gu;
const idsOfMark = (inside: string): string[] => inside.split(/[,;\s]+/u).filter((id) => id !== '');

/** A text without citation marks; a mark that has not arrived whole is left out too. */
export const withoutCitations = (text: string): string =>
  text.replaceAll(/[^\S\n]*\[\[[^[\]]{1,400}\]\]/gu, '').replace(/[^\S\n]*\[\[?[^[\]\n]*\]?$/u, '');

const element = (tagName: string, properties: Record<string, string>, children: MarkdownTree[] = []): MarkdownTree => ({
  type: 'element',
  tagName,
  properties,
  children,
});

/**
 * Marks the sentences and citations of an answer in its tree: `cite` for a citation, `s` for the text of an unsupported
 * sentence, and `small` behind its end for the reason. `data-id` and `data-claim` say which.
 */
export function markClaims(claims: readonly Claim[]) {
  const known = new Set(citationsOf(claims).map(({ id }) => id));
  const claimAt = (offset: number) => claims.findIndex(({ from, to }) => from <= offset && offset < to);
  return (tree: MarkdownTree): void => {
    const texts: { parent: MarkdownTree; node: MarkdownTree; start: number; end: number }[] = [];
    const collect = (parent: MarkdownTree) => {
      for (const node of parent.children ?? []) {
        const [start, end] = [node.position?.start.offset, node.position?.end.offset];
        if (node.type === 'text' && start !== undefined && end !== undefined) texts.push({ parent, node, start, end });
        else collect(node);
      }
    };
    collect(tree);
    const ends = new Map<number, MarkdownTree>();
    for (const [index, { support, from, to }] of claims.entries()) {
      if (support !== 'unsupported') continue;
      const last = texts.findLast(({ start, end, node }) => start < to && end > from && node.value?.trim() !== '');
      if (last) ends.set(index, last.node);
    }
    for (const { parent, node, start, end } of texts) {
      const value = node.value ?? '';
      // An escape or entity makes the text shorter than its source: then it belongs to one sentence as a whole.
      const isExact = end - start === value.length;
      const parts = splitText(value, (at) => claimAt(isExact ? start + at : start));
      const marked = parts.map(({ text, claim, ids }): MarkdownTree[] => {
        const dataClaim = String(claim);
        if (ids !== undefined)
          return ids.filter((id) => known.has(id)).map((dataId) => element('cite', { dataId, dataClaim }));
        const content: MarkdownTree = { type: 'text', value: text };
        const isStruck = claims[claim]?.support === 'unsupported' && text.trim() !== '';
        return [isStruck ? element('s', { dataClaim }, [content]) : content];
      });
      for (const [claim, last] of ends) {
        if (last !== node) continue;
        const own = parts.findLastIndex((part) => part.claim === claim);
        marked[own < 0 ? marked.length - 1 : own]?.push(element('small', { dataClaim: String(claim) }));
      }
      parent.children = (parent.children ?? []).flatMap((child) => (child === node ? marked.flat() : [child]));
    }
  };
}

/** The parts of a text: runs within one sentence, and citations. */
function splitText(value: string, claimAt: (at: number) => number): { text: string; claim: number; ids?: string[] }[] {
  const parts: { text: string; claim: number; ids?: string[] }[] = [];
  const addRuns = (from: number, to: number) => {
    let start = from;
    for (let at = from + 1; at <= to; at += 1) {
      if (at < to && claimAt(at) === claimAt(start)) continue;
      parts.push({ text: value.slice(start, at), claim: claimAt(start) });
      start = at;
    }
  };
  let from = 0;
  for (const match of value.matchAll(citationMark)) {
    if (match.index > from) addRuns(from, match.index);
    parts.push({ text: match[0], claim: claimAt(match.index), ids: idsOfMark(match[1] ?? '') });
    from = match.index + match[0].length;
  }
  if (from < value.length) addRuns(from, value.length);
  return parts;
}
