import type { Rule } from '../layout/tables/rule.ts';
import type { Box } from '../page/box.ts';
import { displayedBox, type PageGeometry } from './page-geometry.ts';
import { placedBy, rulesOfPath, type Painting } from './page-rules.ts';
import { isHuge } from './file/huge-pictures.ts';
import { readWideString, withMemory, type Pdfium } from './file/pdfium.ts';

/** An object that can be over or under text. */
export interface Surface extends Box {
  /** Position in painting order. */
  order: number;
  /** Red, green, blue of a uniform colour; images and nested content have none. */
  color: readonly [number, number, number] | undefined;
}

/** An image object and its place. */
export interface PlacedPicture {
  object: number;
  box: Box;
}

export interface PageSurfaces {
  surfaces: Surface[];
  /** Painting order of each text object. */
  orderOfText: Map<number, number>;
  /** Text objects on a layer, which can be switched off. */
  layeredText: Set<number>;
  /** Text objects that are blended or masked, or stand in a form that is or that can be switched off. */
  blendedText: Set<number>;
  /** What the clips leave of text objects that have some. */
  clipOfText: Map<number, Box>;
  /** The images, those within forms included. */
  pictures: PlacedPicture[];
  /** The places of those that are too large to be drawn. */
  hugePictures: Box[];
  /** Number of objects of any kind. */
  objectCount: number;
  /** Printed lines and edges of coloured surfaces. */
  rules: Rule[];
}

/** Numbers of PDFium's public headers. */
const objectTypes = { text: 1, path: 2, image: 3, form: 5 };
/** Points: a thinner surface is a line or a border and hides no text. */
const minSurfaceThickness = 3;
/** Forms can be nested, and a hostile file nests them deeply. */
const maxFormDepth = 8;

/** A clip of more parts is not measured. */
const maxSegments = 100;
const maxPaths = 20;
/** Of a clip that is not measured: all that it clips is doubtful. */
const unknown: Box = { x0: 0, y0: 0, x1: 0, y1: 0 };

/** Reads the painted objects of a loaded page, in painting order. */
export function readPageSurfaces(
  pdfium: Pdfium,
  page: number,
  geometry: PageGeometry,
  hasLayers: () => boolean,
): PageSurfaces {
  const { call } = pdfium;
  const objectCount = Math.max(0, call.FPDFPage_CountObjects(page));
  const found: PageSurfaces = {
    surfaces: [],
    orderOfText: new Map(),
    layeredText: new Set(),
    blendedText: new Set(),
    clipOfText: new Map(),
    pictures: [],
    hugePictures: [],
    objectCount,
    rules: [],
  };
  withMemory(pdfium, 32, (scratch) => {
    for (let order = 0; order < objectCount; order += 1) {
      const object = call.FPDFPage_GetObject(page, order);
      const type = call.FPDFPageObj_GetType(object);
      if (type === objectTypes.text) {
        addText(pdfium, object, order, found, clipOf(pdfium, object, geometry, scratch), scratch);
        continue;
      }
      const box = readBounds(pdfium, object, geometry, scratch);
      if (!box) continue;
      const hasSurfaces =
        type === objectTypes.form &&
        addForm(pdfium, object, order, found, { geometry, clip: undefined, isBlended: false, hasLayers }, scratch, 0);
      if (type === objectTypes.image) addPicture(pdfium, object, box, found, scratch);
      const painting = type === objectTypes.path ? readPainting(pdfium, object, scratch) : undefined;
      if (painting) found.rules.push(...rulesOfPath(pdfium, object, box, painting, geometry, scratch));
      if (Math.min(box.x1 - box.x0, box.y1 - box.y0) < minSurfaceThickness) continue;
      if (painting) {
        if (painting.fill) found.surfaces.push({ ...box, order, color: painting.fill });
        else if (isThick(pdfium, object, painting, scratch)) found.surfaces.push({ ...box, order, color: undefined });
      } else if (type !== objectTypes.form || hasSurfaces || call.FPDFPageObj_HasTransparency(object) !== 0) {
        found.surfaces.push({ ...box, order, color: undefined });
      }
    }
  });
  return found;
}

function addText(
  pdfium: Pdfium,
  object: number,
  order: number,
  found: PageSurfaces,
  clip: Box | undefined,
  scratch: number,
): void {
  found.orderOfText.set(object, order);
  if (pdfium.call.FPDFPageObj_HasTransparency(object) !== 0) found.blendedText.add(object);
  if (clip) found.clipOfText.set(object, clip);
  const { call } = pdfium;
  const marks = call.FPDFPageObj_CountMarks(object);
  for (let index = 0; index < marks; index += 1) {
    const mark = call.FPDFPageObj_GetMark(object, index);
    const name = readWideString(pdfium, (buffer, size) => {
      call.FPDFPageObjMark_GetName(mark, buffer, size, scratch);
      return pdfium.integers()[scratch / 4]!;
    });
    if (name === 'OC') found.layeredText.add(object);
  }
}

/** The box that the clips of an object leave, as displayed. Undefined for an object without a clip. */
function clipOf({ call, floats }: Pdfium, object: number, geometry: PageGeometry, scratch: number): Box | undefined {
  const clip = call.FPDFPageObj_GetClipPath(object);
  const paths = clip === 0 ? 0 : call.FPDFClipPath_CountPaths(clip);
  if (paths > maxPaths) return unknown;
  let left: Box | undefined;
  for (let path = 0; path < paths; path += 1) {
    const segments = call.FPDFClipPath_CountPathSegments(clip, path);
    if (segments > maxSegments) return unknown;
    let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
    const points: [x: number, y: number][] = [];
    for (let index = 0; index < segments; index += 1) {
      const segment = call.FPDFClipPath_GetPathSegment(clip, path, index);
      if (call.FPDFPathSegment_GetPoint(segment, scratch, scratch + 4) === 0) continue;
      const view = floats();
      const [x, y] = [view[scratch / 4]!, view[scratch / 4 + 1]!];
      [x0, y0, x1, y1] = [Math.min(x0, x), Math.min(y0, y), Math.max(x1, x), Math.max(y1, y)];
      points.push([x, y]);
    }
    // What lies within the box can be cut off.
    if (points.length > 0 && !isRectangle(points)) return unknown;
    if (x0 <= x1) left = sharedBox(left, displayedBox(geometry, x0, y0, x1, y1));
  }
  return left;
}

/** Whether an outline has four corners at most, with level and upright lines between them alone. */
function isRectangle(points: readonly [x: number, y: number][]): boolean {
  const isSame = (one: number, other: number): boolean => Math.abs(one - other) < 0.01;
  const [first] = points;
  const last = points.at(-1)!;
  const isClosed = isSame(first![0], last[0]) && isSame(first![1], last[1]);
  const corners = isClosed ? points.slice(0, -1) : points;
  return (
    corners.length <= 4 &&
    corners.length !== 3 &&
    corners.every(([x, y], at) => {
      const [nextX, nextY] = corners[(at + 1) % corners.length]!;
      return isSame(x, nextX) || isSame(y, nextY);
    })
  );
}

/** What two boxes share; one that does not exist bounds nothing. */
function sharedBox(box: Box | undefined, other: Box | undefined): Box | undefined {
  if (box === undefined || other === undefined) return box ?? other;
  const { max, min } = Math;
  return { x0: max(box.x0, other.x0), y0: max(box.y0, other.y0), x1: min(box.x1, other.x1), y1: min(box.y1, other.y1) };
}

/**
 * Text of a form is painted with it. Only the pixels show whether the form covers its own text. Returns whether it has anything but
 * text.
 */
function addForm(
  pdfium: Pdfium,
  form: number,
  order: number,
  found: PageSurfaces,
  outer: { geometry: PageGeometry; clip: Box | undefined; isBlended: boolean; hasLayers: () => boolean },
  scratch: number,
  depth: number,
): boolean {
  const { call } = pdfium;
  const count = depth < maxFormDepth ? Math.max(0, call.FPDFFormObj_CountObjects(form)) : 0;
  let hasSurfaces = false;
  const { geometry, hasLayers } = outer;
  const isBlended = outer.isBlended || call.FPDFPageObj_HasTransparency(form) !== 0 || hasLayers();
  const clip = sharedBox(outer.clip, clipOf(pdfium, form, geometry, scratch));
  const placed =
    call.FPDFPageObj_GetMatrix(form, scratch) === 0
      ? geometry
      : placedBy(geometry, pdfium.floats().subarray(scratch / 4, scratch / 4 + 6));
  for (let index = 0; index < count; index += 1) {
    const object = call.FPDFFormObj_GetObject(form, index);
    const type = call.FPDFPageObj_GetType(object);
    if (type === objectTypes.text) {
      const own = sharedBox(clip, clipOf(pdfium, object, placed, scratch));
      addText(pdfium, object, order, found, own, scratch);
      if (isBlended) found.blendedText.add(object);
    } else hasSurfaces = true;
    if (type === objectTypes.image) {
      const box = readBounds(pdfium, object, placed, scratch);
      if (box) addPicture(pdfium, object, box, found, scratch);
    }
    if (type === objectTypes.path) addRules(pdfium, object, placed, found, scratch);
    if (type === objectTypes.form)
      addForm(pdfium, object, order, found, { geometry: placed, clip, isBlended, hasLayers }, scratch, depth + 1);
  }
  return hasSurfaces;
}

/** The box of an object as displayed, clipped to the page. Undefined if the object is outside of the page. */
export function readBounds(pdfium: Pdfium, object: number, geometry: PageGeometry, scratch: number): Box | undefined {
  if (pdfium.call.FPDFPageObj_GetBounds(object, scratch, scratch + 4, scratch + 8, scratch + 12) === 0)
    return undefined;
  const at = scratch / 4;
  const [left, bottom, right, top] = pdfium.floats().subarray(at, at + 4) as unknown as [
    number,
    number,
    number,
    number,
  ];
  const whole = displayedBox(geometry, left, bottom, right, top);
  const box = {
    x0: Math.max(0, whole.x0),
    y0: Math.max(0, whole.y0),
    x1: Math.min(geometry.width, whole.x1),
    y1: Math.min(geometry.height, whole.y1),
  };
  return box.x1 > box.x0 && box.y1 > box.y0 ? box : undefined;
}

function addPicture(pdfium: Pdfium, object: number, box: Box, found: PageSurfaces, scratch: number): void {
  if (isHuge(pdfium, object, scratch)) found.hugePictures.push(box);
  else found.pictures.push({ object, box });
}

function addRules(pdfium: Pdfium, path: number, placed: PageGeometry, found: PageSurfaces, scratch: number): void {
  const box = readBounds(pdfium, path, placed, scratch);
  const painting = box && readPainting(pdfium, path, scratch);
  if (painting) found.rules.push(...rulesOfPath(pdfium, path, box, painting, placed, scratch));
}

/** Whether a path is drawn by a line that can cover letters. */
function isThick({ call, floats }: Pdfium, path: number, { isStroked }: Painting, scratch: number): boolean {
  return (
    isStroked && call.FPDFPageObj_GetStrokeWidth(path, scratch) !== 0 && floats()[scratch / 4]! >= minSurfaceThickness
  );
}

function readPainting({ call, integers }: Pdfium, path: number, scratch: number): Painting {
  if (call.FPDFPath_GetDrawMode(path, scratch, scratch + 4) === 0) return { fill: undefined, isStroked: false };
  const at = scratch / 4;
  const isStroked = integers()[at + 1] !== 0;
  const isFilled = integers()[at] !== 0;
  if (!isFilled || call.FPDFPageObj_GetFillColor(path, scratch, scratch + 4, scratch + 8, scratch + 12) === 0) {
    return { fill: undefined, isStroked };
  }
  const [red, green, blue] = integers().subarray(at, at + 3) as unknown as [number, number, number];
  return { fill: [red, green, blue], isStroked };
}
