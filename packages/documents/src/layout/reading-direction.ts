/** The direction in which the letters of a line follow each other, on the page as displayed. */
export type ReadingDirection = 'right' | 'down' | 'left' | 'up';

export interface Box {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** The box after the page has been turned until its text runs to the right. Coordinates can become negative. */
export function turnUpright({ x0, y0, x1, y1 }: Box, direction: ReadingDirection): Box {
  switch (direction) {
    case 'right':
      return { x0, y0, x1, y1 };
    case 'down':
      return { x0: y0, y0: -x1, x1: y1, y1: -x0 };
    case 'left':
      return { x0: -x1, y0: -y1, x1: -x0, y1: -y0 };
    case 'up':
      return { x0: -y1, y0: x0, x1: -y0, y1: x1 };
  }
}
