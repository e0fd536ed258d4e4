import type { Extraction, ReviewReason, ValueReview } from '@docwright/contract';
import type { ResultNode } from '../../shared/values/result-tree.ts';
import { pathLabel, reasonLabels, riskLabel } from '../../shared/values/review-labels.ts';

export type Reviews = NonNullable<Extraction['review']>;

/** Whether a user should check the value, as the server decides for all pages. */
export function isToCheck(review: ValueReview | undefined): boolean {
  return review?.to_check === true;
}

/** The paths of the values to check. */
export const pathsToCheck = (reviews: Reviews): string[] =>
  Object.entries(reviews).flatMap(([path, review]) => (isToCheck(review) ? [path] : []));

/** Explains a risk: `12 % chance that it is wrong: not on the page; The rows do not add up`. */
export function whyToCheck({ risk, reasons, embedded_value }: ValueReview, messages: readonly string[]): string {
  const words = reasons.flatMap((reason: ReviewReason) => {
    if (reason === 'check_failed' && messages.length > 0) return messages;
    const other =
      reason === 'differs_from_embedded' && embedded_value !== undefined && JSON.stringify(embedded_value ?? 'none');
    return [other ? `${reasonLabels[reason]} (${other})` : reasonLabels[reason]];
  });
  return [`${riskLabel(risk)} chance that it is wrong`, ...(words.length === 0 ? [] : [words.join('; ')])].join(': ');
}

/** The tree with the values to check alone; of a table the rows that contain one. */
export function toCheckOnly(nodes: readonly ResultNode[], reviews: Reviews): ResultNode[] {
  return nodes.flatMap((node): ResultNode[] => {
    if (node.kind === 'field') return isToCheck(reviews[node.path]) ? [node] : [];
    if (node.kind === 'table') {
      const rows = node.rows.filter((row) => row.some(({ path }) => isToCheck(reviews[path])));
      return rows.length === 0 ? [] : [{ ...node, rows }];
    }
    const children = toCheckOnly(node.children, reviews);
    return children.length === 0 ? [] : [{ ...node, children }];
  });
}

const maxNamed = 5;

/** Names values to check before a verification; undefined without one. */
export function sentenceToCheck(paths: readonly string[]): string | undefined {
  if (paths.length === 0) return undefined;
  const more = paths.length > maxNamed ? ` and ${paths.length - maxNamed} more` : '';
  const names = paths.slice(0, maxNamed).map(pathLabel).join(', ');
  return `To check: ${names}${more}. By verifying, you say that you have looked at each.`;
}
