import { FieldRow } from './field-row.tsx';
import { FieldTable } from './field-table.tsx';
import type { ResultNode } from '../../shared/values/result-tree.ts';

const headings = ['h2', 'h3', 'h4', 'h5', 'h6'] as const;

/** The fields, groups and tables of a result, at any depth. */
export function ResultList({ nodes, level = 0 }: { nodes: ResultNode[]; level?: number }) {
  return nodes.map((node) => {
    if (node.kind === 'field') return <FieldRow key={node.path} field={node} />;
    const Heading = headings[Math.min(level, headings.length - 1)]!;
    const count = node.kind === 'table' ? node.rows.length : undefined;
    return (
      <section key={node.path} aria-label={node.label} className="border-b border-line last:border-b-0">
        <Heading className="flex items-baseline gap-2 bg-canvas px-4 py-1.5 text-xs font-semibold text-ink-soft">
          {node.label}
          {count !== undefined && <span className="font-normal text-ink-faint">{count}</span>}
        </Heading>
        {node.kind === 'table' && <FieldTable table={node} />}
        {node.kind === 'group' &&
          (node.children.length === 0 ? (
            <p className="px-4 py-2 text-sm text-ink-faint">Empty</p>
          ) : (
            <div className={level > 0 ? 'ml-3 border-l border-line' : undefined}>
              <ResultList nodes={node.children} level={level + 1} />
            </div>
          ))}
      </section>
    );
  });
}
