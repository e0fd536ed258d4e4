import { describe, expect, it } from 'vitest';
import { defaultParseLimits } from '../../reader/parse-limits.ts';
import { openHtml } from './open-html.ts';

/** The words of a page that reach a model. */
async function wordsOf(body: string): Promise<string> {
  const { pages } = await openHtml(new TextEncoder().encode(`<!doctype html><body>Seen ${body}`), defaultParseLimits);
  const [page] = [...pages];
  return page!.text.split(/\s+/).join(' ').trim();
}
const styled = (style: string): string => `<div style="${style}">unseen</div>`;

it.each([
  'clip-path:polygon(0 0,0 0,0 0)',
  'clip-path:inset(0 0 100% 0)',
  'clip-path:inset(0 0 9999px 0)',
  'clip-path:xywh(0 0 0 0)',
  '-webkit-clip-path:inset(100%)',
  'position:absolute;right:9999px',
  'position:absolute;inset:-9999px auto auto -9999px',
  'position:absolute;left:calc(0px - 9999px)',
  'position:absolute;left:-99cm',
  'position:fixed;top:200vh',
  'transform:matrix(1,0,0,1,-9999,0)',
  'transform:scale(1,0)',
  'transform:rotateY(180deg);backface-visibility:hidden',
  'margin:0 0 0 -9999px',
  'font:0/0 a',
  'font-size:min(0px,12px)',
  'font-size:.1mm',
  'opacity:calc(1 - 1)',
  'filter:blur(0) opacity(0)',
  'mask:linear-gradient(#0000,#0000)',
  'height:0;overflow:auto',
  'display:none!important;display:block',
  'contain:strict',
  'block-size:0;overflow:hidden',
  'color:color-mix(in srgb, white 100%, black)',
  'color:oklch(1 0 0)',
  'color:light-dark(white, black)',
])('letters with “%s” are unseen', async (style) => expect(await wordsOf(styled(style))).toBe('Seen'));

it.each([
  '<style>div{ & p{color:white} }</style><div><p>unseen</p></div>',
  '<style>@scope (div){p{display:none}}</style><div><p>unseen</p></div>',
  '<style media="screen, print">p{display:none}</style><p>unseen</p>',
  '<style media="not print">p{display:none}</style><p>unseen</p>',
  '<template><style>p{display:block!important}</style></template><p style="display:none">unseen</p>',
  '<iframe><style>p{display:block!important}</style></iframe><p style="display:none">unseen</p>',
  '<style type="text/x">p{display:block!important}</style><p style="display:none">unseen</p>',
  '<style media="(max-width:600px)">p{display:block!important}</style><p style="display:none">unseen</p>',
  '<style type="TEXT/CSS">p{display:none}</style><p>unseen</p>',
  '<b><div style="display:none">x</b>unseen</div>',
  '<span><div style="display:none">x</span>unseen</div>',
  '<div><table><tr><td style="display:none">x</div>unseen</table>',
  '<ul style="list-style:none"><li><ul style="display:none"></li>unseen</ul></ul>',
  '<div style="display:none">x</body></html>unseen',
  '<i style="display:none"><div>x</div></i><p><b style="display:none"><p>x</p>unseen',
  '<div><u style="display:none"></div><p>unseen',
  '<div style="display:none"><table><td>x</table><table>unseen<tr><td>x</table></div>',
  '<object data="a.pdf">unseen</object>',
  '<object><p style="color:white">unseen</p></object>',
  '<math>unseen<mrow>unseen</mrow></math>',
  '<math><mtext style="display:none">unseen</mtext><mrow style="color:white"><mi>unseen</mi></mrow></math>',
  '<math><mphantom><mtext>unseen</mtext></mphantom></math>',
  '<math><semantics><mrow></mrow><mtext>unseen</mtext></semantics><maction><mi></mi><mtext>unseen</mtext></maction></math>',
  '<svg><text y="9"><tspan style="display:none">unseen</tspan><tspan style="fill:none">unseen</tspan></text></svg>',
  '<svg><text y="9" style="visibility:hidden">unseen</text></svg>',
  '<svg><defs><text id="a">unseen</text><text id="b"></text></defs><use href="#b" xlink:href="#a"/></svg>',
  '<canvas>unseen</canvas>',
  '<table><td style="max-width:0;overflow:hidden">unseen</table>',
  '<table style="width:100%"><td><div style="max-width:0;overflow:hidden">unseen</div></table>',
  '<svg width="0" height="0"><text y="20">unseen</text></svg>',
  '<svg width="300" height="40"><mask id="m"></mask><text y="20" mask="url(#m)">unseen</text></svg>',
  '<svg width="300" height="40"><text y="20" transform="translate(-9999)">unseen</text></svg>',
])('letters of %s are unseen', async (body) => expect(await wordsOf(body)).toBe('Seen'));

it('a page whose formats go on in too many elements is refused', async () => {
  const formats = Array.from({ length: 1_000 }, (_, id) => `<b id=${id}>`).join('');
  await expect(wordsOf(`<p>${formats}${'<p>x'.repeat(1_000)}`)).rejects.toThrow('Save it as PDF');
  await expect(wordsOf('<i>'.repeat(201_000))).rejects.toThrow('Save it as PDF');
  const attributes = Array.from({ length: 10_000 }, (_, id) => `a${id}`).join(' ');
  await expect(wordsOf(`<p><b ${attributes}>${'<p>x'.repeat(50)}`)).rejects.toThrow('Save it as PDF');
});

it('a page of many tags of a body is read in little time', async () => {
  const tags = Array.from({ length: 20_000 }, (_, id) => `<body a${id}>`).join('');
  expect(await wordsOf(tags)).toBe('Seen');
});

it('a page of many style sheets inside of many elements is read in little time', async () => {
  expect(await wordsOf(`${'<div>'.repeat(100_000)}${'<style></style>'.repeat(100_000)}`)).toBe('Seen');
});

describe('inside of more elements than are in the tree', () => {
  const nested = (name: string, count: number): string => `<${name}>`.repeat(count);
  const hidden = '<div style="display:none">';

  it.each([
    ['a style sheet counts', `<p class=h>unseen</p>${nested('div', 460)}<style>.h{display:none}</style>`],
    [
      'a second style sheet counts',
      `<p class=h>unseen</p>${nested('div', 460)}<style></style><style>.h{display:none}</style>`,
    ],
    [
      'an end tag behind many open elements ends none of those in the tree',
      `${hidden}${nested('div', 449)}${`${nested('i', 460)}<div>${nested('b', 101)}</div>`.repeat(51)}${'</i>'.repeat(470)}unseen`,
    ],
    ['an end tag without an element ends nothing', `<i>${hidden}${nested('div', 449)}${nested('i', 9)}</x></i>unseen`],
    [
      'the end of a style sheet ends no other',
      `<i>${hidden}${nested('div', 449)}${nested('i', 9)}<style></style></i>unseen`,
    ],
  ])('%s', async (_what, body) => expect(await wordsOf(body)).toBe('Seen'));

  it.each([
    ['ends where it begins', `${nested('div', 460)}${'<div/>'.repeat(449)}${'</div>'.repeat(460)}too`, 'Seen\ntoo'],
    ['without content ends no other', `${hidden}${nested('i', 460)}<br/><br/>${'</i>'.repeat(11)}unseen`, 'Seen'],
  ])('an element of XML that %s', async (_what, inside, expected) => {
    const page = `<?xml version="1.0"?><body>Seen ${inside}`;
    const { pages } = await openHtml(new TextEncoder().encode(page), defaultParseLimits);
    expect([...pages][0]!.text).toBe(expected);
  });
});

it.each([
  '<p aria-hidden="true">too</p>',
  '<b style="display:none"><div>x</b></div>too',
  `${'<b><div></b></div>'.repeat(500)}too`,
  '<details open>too</details>',
  '<div><b style="display:none">x</b></div><i><p></i>too',
  '<div><table style="display:none"><tr><td>x</td>too</table></div>',
  '<object type="application/x-shockwave-flash" data="a.swf">too</object>',
  '<math><mtext>too</mtext></math>',
  '<math><mtable><mtr><mtd>too</mtd></mtr></mtable></math>',
  '<svg><text y="9" style="visibility:hidden"><tspan style="visibility:visible">too</tspan></text></svg>',
  '<math><semantics><mrow style="visibility:hidden"><mi style="visibility:visible">too</mi></mrow></semantics></math>',
  '<p style="margin:0 -9999px;padding:0 9999px">too</p>',
  '<div style="line-height:0;overflow:hidden"><p style="line-height:1.5">too</p></div>',
  '<p style="font:700 14px/1 Arial">too</p>',
  '<p style="clip-path:polygon(0 0,100% 0,100% 100%)">too</p>',
  '<p style="contain:inline-size">too</p>',
  '<table style="width:100%"><td style="max-width:0;overflow:hidden">too</table>',
  '<table><td style="max-width:0;width:100%;overflow:hidden">too</table>',
  '<table><td style="width:0;height:0;overflow:hidden">too</table>',
  '<style>div{color:black; & p{color:red}} .x{font-size:0}</style><div><p>too</p></div>',
  '<p style="width:calc(100% - 10px);overflow:hidden">too</p>',
  '<p style="mask:linear-gradient(#000,transparent)">too</p>',
])('letters of %s are seen', async (body) => expect(await wordsOf(body)).toMatch(/^Seen too$/));
