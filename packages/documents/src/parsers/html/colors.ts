/** Red, green and blue from 0 to 255, and how much of them is seen, from 0 to 1. */
export type PaintedColor = readonly [red: number, green: number, blue: number, alpha: number];

/** The colours that CSS has names for. */
const names = (
  'aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc bisque ffe4c4 ' +
  'black 000000 blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a burlywood deb887 cadetblue 5f9ea0 ' +
  'chartreuse 7fff00 chocolate d2691e coral ff7f50 cornflowerblue 6495ed cornsilk fff8dc crimson dc143c cyan 00ffff ' +
  'darkblue 00008b darkcyan 008b8b darkgoldenrod b8860b darkgray a9a9a9 darkgreen 006400 darkgrey a9a9a9 ' +
  'darkkhaki bdb76b darkmagenta 8b008b darkolivegreen 556b2f darkorange ff8c00 darkorchid 9932cc darkred 8b0000 ' +
  'darksalmon e9967a darkseagreen 8fbc8f darkslateblue 483d8b darkslategray 2f4f4f darkslategrey 2f4f4f ' +
  'darkturquoise 00ced1 darkviolet 9400d3 deeppink ff1493 deepskyblue 00bfff dimgray 696969 dimgrey 696969 ' +
  'dodgerblue 1e90ff firebrick b22222 floralwhite fffaf0 forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc ' +
  'ghostwhite f8f8ff gold ffd700 goldenrod daa520 gray 808080 green 008000 greenyellow adff2f grey 808080 ' +
  'honeydew f0fff0 hotpink ff69b4 indianred cd5c5c indigo 4b0082 ivory fffff0 khaki f0e68c lavender e6e6fa ' +
  'lavenderblush fff0f5 lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6 lightcoral f08080 lightcyan e0ffff ' +
  'lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3 lightpink ffb6c1 lightsalmon ffa07a ' +
  'lightseagreen 20b2aa lightskyblue 87cefa lightslategray 778899 lightslategrey 778899 lightsteelblue b0c4de ' +
  'lightyellow ffffe0 lime 00ff00 limegreen 32cd32 linen faf0e6 magenta ff00ff maroon 800000 mediumaquamarine 66cdaa ' +
  'mediumblue 0000cd mediumorchid ba55d3 mediumpurple 9370db mediumseagreen 3cb371 mediumslateblue 7b68ee ' +
  'mediumspringgreen 00fa9a mediumturquoise 48d1cc mediumvioletred c71585 midnightblue 191970 mintcream f5fffa ' +
  'mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 000080 oldlace fdf5e6 olive 808000 olivedrab 6b8e23 ' +
  'orange ffa500 orangered ff4500 orchid da70d6 palegoldenrod eee8aa palegreen 98fb98 paleturquoise afeeee ' +
  'palevioletred db7093 papayawhip ffefd5 peachpuff ffdab9 peru cd853f pink ffc0cb plum dda0dd powderblue b0e0e6 ' +
  'purple 800080 rebeccapurple 663399 red ff0000 rosybrown bc8f8f royalblue 4169e1 saddlebrown 8b4513 salmon fa8072 ' +
  'sandybrown f4a460 seagreen 2e8b57 seashell fff5ee sienna a0522d silver c0c0c0 skyblue 87ceeb slateblue 6a5acd ' +
  'slategray 708090 slategrey 708090 snow fffafa springgreen 00ff7f steelblue 4682b4 tan d2b48c teal 008080 ' +
  'thistle d8bfd8 tomato ff6347 turquoise 40e0d0 violet ee82ee wheat f5deb3 white ffffff whitesmoke f5f5f5 yellow ffff00 ' +
  'yellowgreen 9acd32 '
)
  .trim()
  .split(' ');
const named = new Map(names.flatMap((name, at) => (at % 2 === 0 ? [[name, names[at + 1]!] as const] : [])));

/** A colour as CSS writes it. Undefined for one that is inherited; `unknown` for one that is computed otherwise. */
export function readColor(text: string | undefined): PaintedColor | 'unknown' | undefined {
  const value = text?.trim().toLowerCase() ?? '';
  if (value === '' || /^(?:inherit|currentcolor|unset)$/.test(value)) return undefined;
  if (value === 'transparent') return [0, 0, 0, 0];
  const [, hex] = /^#?([0-9a-f]{3,8})$/.exec(named.get(value) ?? value) ?? [];
  if (hex !== undefined) return hexColor(hex) ?? 'unknown';
  const computed = computedColor(value);
  if (computed !== undefined) return computed;
  const [, kind, list = ''] = /^(rgb|hsl)a?\(([^()]*)\)$/.exec(value) ?? [];
  const parts = list.split(/[\s,/]+/).filter(Boolean);
  const alpha = portion(parts[3] ?? '1', 1);
  if (kind === undefined || parts.length < 3 || alpha === undefined) return 'unknown';
  const color = kind === 'rgb' ? parts.slice(0, 3).map((part) => portion(part, 255)) : hslColor(parts);
  const [red, green, blue] = color;
  return red === undefined || green === undefined || blue === undefined ? 'unknown' : [red, green, blue, alpha];
}

const [white, black]: readonly [PaintedColor, PaintedColor] = [
  [255, 255, 255, 1],
  [0, 0, 0, 1],
];
const ofSystem: Readonly<Record<string, PaintedColor>> = {
  canvas: white,
  field: white,
  canvastext: black,
  fieldtext: black,
  buttontext: black,
};

/** Colours of the system, of other spaces where they are white, black or clear, and mixtures of two. */
function computedColor(value: string): PaintedColor | undefined {
  if (ofSystem[value] !== undefined) return ofSystem[value];
  const [, first] = /^light-dark\(([^,]*(?:\([^()]*\))?),/.exec(value) ?? [];
  if (first !== undefined) return known(readColor(first));
  const [, mixed = ''] = /^color-mix\(\s*in [^,]*,(.*)\)$/.exec(value) ?? [];
  if (mixed !== '') return mixtureOf(mixed.split(/,(?![^(]*\))/));
  const [, kind, list = ''] = /^(hwb|lab|lch|oklab|oklch|color)\(([^()]*)\)$/.exec(value) ?? [];
  const parts = list.split(/[\s,/]+/).filter(Boolean);
  if (kind === undefined || parts.length < 3) return undefined;
  const alpha = portion(parts[kind === 'color' ? 4 : 3] ?? '1', 1) ?? 1;
  if (kind === 'color') {
    const [red, green, blue] = parts.slice(1, 4).map((part) => portion(part, 1));
    if (red === undefined || green === undefined || blue === undefined) return undefined;
    return [red * 255, green * 255, blue * 255, alpha];
  }
  if (alpha === 0) return [0, 0, 0, 0];
  if (kind === 'hwb') {
    const [light, dark] = [portion(parts[1]!, 1), portion(parts[2]!, 1)];
    if (light === undefined || dark === undefined || light + dark < 1) return undefined;
    const grey = (255 * light) / (light + dark);
    return [grey, grey, grey, alpha];
  }
  const lightness = portion(parts[0]!, kind.startsWith('ok') ? 1 : 100);
  if (lightness === undefined) return undefined;
  const share = lightness / (kind.startsWith('ok') ? 1 : 100);
  if (share >= 0.99) return [255, 255, 255, alpha];
  return share <= 0.01 ? [0, 0, 0, alpha] : undefined;
}

const known = (color: ReturnType<typeof readColor>): PaintedColor | undefined =>
  typeof color === 'object' ? color : undefined;

function mixtureOf(parts: readonly string[]): PaintedColor | undefined {
  const [one, other] = parts.map((part) => {
    const [, share] = /\s([\d.]+)%\s*$/.exec(part) ?? [];
    const color = known(readColor(part.replace(/\s[\d.]+%\s*$/, '')));
    return { color, share: share === undefined ? undefined : Number(share) / 100 };
  });
  if (one?.color === undefined || other?.color === undefined) return undefined;
  const share = one.share ?? (other.share === undefined ? 0.5 : 1 - other.share);
  const mix = (at: number): number => one.color![at]! * share + other.color![at]! * (1 - share);
  return [mix(0), mix(1), mix(2), mix(3)];
}

function hexColor(hex: string): PaintedColor | undefined {
  const isShort = hex.length <= 4;
  const digits = isShort ? hex.replace(/./g, '$&$&') : hex;
  if (digits.length !== 6 && digits.length !== 8) return undefined;
  const at = (start: number): number => Number.parseInt(digits.slice(start, start + 2), 16);
  return [at(0), at(2), at(4), digits.length === 8 ? at(6) / 255 : 1];
}

/** A number, or a percentage of the whole. */
function portion(text: string, whole: number): number | undefined {
  const [, digits, percent] = /^([-+]?[\d.]+)(%?)$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const value = percent === '%' ? (Number(digits) / 100) * whole : Number(digits);
  return Math.min(whole, Math.max(0, value));
}

function hslColor([hue = '', saturation = '', lightness = '']: readonly string[]): (number | undefined)[] {
  const degrees = Number(/^(-?[\d.]+)(?:deg)?$/.exec(hue)?.[1] ?? Number.NaN);
  const [strength, light] = [portion(saturation, 1), portion(lightness, 1)];
  if (Number.isNaN(degrees) || strength === undefined || light === undefined) return [];
  const range = strength * Math.min(light, 1 - light);
  return [0, 8, 4].map((shift) => {
    const step = (((shift + degrees / 30) % 12) + 12) % 12;
    return Math.round(255 * (light - range * Math.max(-1, Math.min(step - 3, 9 - step, 1))));
  });
}
