import { percent } from '../drawing/opaque-drawing.ts';
import { readColor } from '../html/colors.ts';
import { childElements, firstChild, type XmlElement } from '../office-archive.ts';

/** Colours of a theme by the names that slides use, in hexadecimal digits. */
type ThemeColors = ReadonlyMap<string, string>;
type Channels = readonly [red: number, green: number, blue: number];

/** The colours that a fill paints, in hexadecimal digits; undefined if one of them is not known or the fill is a picture. */
export function colorsOf(fill: XmlElement | undefined, theme: ThemeColors): string[] | undefined {
  const painted =
    fill?.name === 'a:gradFill'
      ? childElements(firstChild(fill, 'a:gsLst'), 'a:gs').map((stop) => childElements(stop)[0])
      : fill?.name === 'a:pattFill'
        ? ['a:fgClr', 'a:bgClr'].map((side) => childElements(firstChild(fill, side))[0])
        : fill !== undefined && /^(?:a:solidFill|a:highlight|a:fontRef|a:outerShdw|a:glow|p:bgRef)$/u.test(fill.name)
          ? [childElements(fill)[0]]
          : [];
  const colors = painted.flatMap((color) => colorOf(color, theme) ?? []);
  return colors.length === 0 || colors.length < painted.length ? undefined : colors;
}

function colorOf(color: XmlElement | undefined, theme: ThemeColors): string | undefined {
  let channels = baseOf(color, theme);
  for (const change of childElements(color)) channels = channels && changed(channels, change);
  return channels
    ?.map((each) =>
      Math.round(Math.min(Math.max(each, 0), 1) * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('');
}

function baseOf(color: XmlElement | undefined, theme: ThemeColors): Channels | undefined {
  const { val = '', lastClr, r, g, b, hue, sat, lum } = color?.attribs ?? {};
  switch (color?.name) {
    case 'a:srgbClr':
      return fromHex(val);
    case 'a:sysClr':
      return fromHex(lastClr ?? (val === 'window' ? 'ffffff' : ''));
    case 'a:schemeClr':
      return fromHex(theme.get(val) ?? '');
    case 'a:prstClr': {
      const name = val
        .replace(/^lt(?=[A-Z])/u, 'light')
        .replace(/^dk(?=[A-Z])/u, 'dark')
        .replace(/^med(?=[A-Z])/u, 'medium');
      const named = readColor(name);
      return named === undefined || named === 'unknown' ? undefined : [named[0] / 255, named[1] / 255, named[2] / 255];
    }
    case 'a:scrgbClr':
      return [r, g, b].map((each) => toScreen(percent(each) / 100)) as unknown as Channels;
    case 'a:hslClr':
      return fromHsl(Number(hue) / 21_600_000, percent(sat) / 100, percent(lum) / 100);
    default:
      return undefined;
  }
}

function fromHex(hex: string): Channels | undefined {
  if (!/^[0-9a-f]{6}$/iu.test(hex)) return undefined;
  return [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255) as unknown as Channels;
}

const toScreen = (linear: number): number =>
  linear <= 0.003_130_8 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055;
const toLinear = (screen: number): number => (screen <= 0.040_45 ? screen / 12.92 : ((screen + 0.055) / 1.055) ** 2.4);

/** A colour after one of its changes, such as a lighter tone; undefined if what it does is not known. */
function changed(channels: Channels, { name, attribs }: XmlElement): Channels | undefined {
  const share = percent(attribs['val']) / 100;
  const each = (change: (channel: number) => number): Channels => channels.map(change) as unknown as Channels;
  const [hue, saturation, lightness] = toHsl(channels);
  switch (name) {
    case 'a:alpha':
    case 'a:alphaMod':
    case 'a:alphaOff':
      return channels;
    case 'a:lumMod':
      return fromHsl(hue, saturation, lightness * share);
    case 'a:lumOff':
      return fromHsl(hue, saturation, lightness + share);
    case 'a:satMod':
      return fromHsl(hue, saturation * share, lightness);
    case 'a:satOff':
      return fromHsl(hue, saturation + share, lightness);
    case 'a:shade':
      return each((channel) => toScreen(toLinear(channel) * share));
    case 'a:tint':
      return each((channel) => toScreen(toLinear(channel) * share + 1 - share));
    case 'a:inv':
      return each((channel) => toScreen(1 - toLinear(channel)));
    case 'a:gray':
      return fromHsl(0, 0, 0.3 * channels[0] + 0.59 * channels[1] + 0.11 * channels[2]);
    default:
      return undefined;
  }
}

function toHsl([red, green, blue]: Channels): Channels {
  const [top, bottom] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const [lightness, range] = [(top + bottom) / 2, top - bottom];
  if (range === 0) return [0, 0, lightness];
  const sixth =
    top === red ? (green - blue) / range : top === green ? 2 + (blue - red) / range : 4 + (red - green) / range;
  return [(sixth / 6 + 1) % 1, range / (1 - Math.abs(2 * lightness - 1)), lightness];
}

function fromHsl(hue: number, saturation: number, lightness: number): Channels {
  const [pure, light] = [saturation, lightness].map((each) => Math.min(Math.max(each, 0), 1)) as [number, number];
  const reach = pure * Math.min(light, 1 - light);
  return [0, 8, 4].map((shift) => {
    const at = (shift + hue * 12) % 12;
    return light - reach * Math.max(-1, Math.min(at - 3, 9 - at, 1));
  }) as unknown as Channels;
}
