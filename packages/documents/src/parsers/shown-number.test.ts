import { expect, it } from 'vitest';
import { shownAs } from './shown-number.ts';

const [march2026, may2019, january1989, june1925] = [46_095.4, 43_586, 32_515, 9_285];

it.each([
  ['[$-411]ggge"年"m"月"d"日"', march2026, '令和8年3月14日'],
  ['[$-411]ge.m.d', january1989, 'S64.1.7'],
  ['[$-ja-JP]gge"年"', june1925, '大14年'],
  ['[$-ja-JP-x-gannen]ggge"年"m"月"d"日";@', may2019, '令和元年5月1日'],
  ['[$-411]gggee"年"mm"月"dd"日"', may2019, '令和01年05月01日'],
  ['[$-411]rr.m.d', march2026, '令和08.3.14'],
  ['[$-404]e"/"m"/"d', march2026, '115/3/14'],
  ['[$-411]yyyy"年"m"月"', march2026, '2026年3月'],
  ['e"-"m', march2026, '2026-3'],
])('dates in %s have the years of its calendar', (format, value, text) => {
  expect(shownAs(value, format, false)).toBe(text);
});
