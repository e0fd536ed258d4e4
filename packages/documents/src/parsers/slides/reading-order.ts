/** Where something stands on a slide, in its units, from the top left. */
export interface SlidePlace {
  top: number;
  left: number;
  height: number;
  width: number;
}

/** Shapes whose edges overlap by less are still above or beside each other: share of their size at each edge. */
const edge = 0.1;
/** Cuts within cuts go no deeper. */
const maxDepth = 50;

/**
 * The shapes of a slide in the order in which people read them: cut into rows where nothing crosses the cut, otherwise into columns, and
 * so on in each part. Shapes that lie over each other follow by their corners.
 */
export function orderShapes<Shape extends SlidePlace>(shapes: readonly Shape[], depth = 0): Shape[] {
  if (shapes.length < 2) return [...shapes];
  const byCorner = shapes.toSorted((one, other) => one.top - other.top || one.left - other.left);
  if (depth === maxDepth) return byCorner;
  const rows = cut(byCorner, ({ top, height }) => [top, height]);
  if (rows.length > 1) return rows.flatMap((row) => orderShapes(row, depth + 1));
  const byLeft = shapes.toSorted((one, other) => one.left - other.left || one.top - other.top);
  const columns = cut(byLeft, ({ left, width }) => [left, width]);
  if (columns.length > 1) return columns.flatMap((column) => orderShapes(column, depth + 1));
  // What lies behind all others, such as a frame or a photo, parts none of them from another.
  const behind = shapes.find((shape) => shapes.every((other) => holds(shape, other)));
  return behind
    ? [
        behind,
        ...orderShapes(
          shapes.filter((shape) => shape !== behind),
          depth + 1,
        ),
      ]
    : byCorner;
}

/** Whether one place lies wholly inside another. */
export function holds(outer: SlidePlace, inner: SlidePlace): boolean {
  return (
    outer.left <= inner.left &&
    outer.top <= inner.top &&
    outer.left + outer.width >= inner.left + inner.width &&
    outer.top + outer.height >= inner.top + inner.height
  );
}

/** Parts that do not overlap along one axis. The shapes are sorted by it. */
function cut<Shape>(shapes: readonly Shape[], along: (shape: Shape) => [start: number, size: number]): Shape[][] {
  const parts: Shape[][] = [];
  let end = -Infinity;
  for (const shape of shapes) {
    const [start, size] = along(shape);
    if (parts.length === 0 || start + size * edge >= end) parts.push([]);
    parts.at(-1)!.push(shape);
    end = Math.max(end, start + size * (1 - edge));
  }
  return parts;
}
