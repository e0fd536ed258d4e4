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

it.each([
  ['[DBNum1][$-804]General', 10_010, '一万〇一十'],
  ['[DBNum2][$-804]General', 105.2, '壹佰零伍.贰'],
  ['[DBNum2][$-804]General"元"', 67_890_010_123, '陆佰柒拾捌亿玖仟零壹万零壹佰贰拾叁元'],
  ['[$-804][DBNum1]0', 12_345, '一二三四五'],
  ['[DBNum3][$-411]#,##0', 12_345, '１２,３４５'],
  ['[DBNum1][$-404]General', 100_000, '一十萬'],
  ['[DBNum1][$-411]General', 123_456, '十二万三千四百五十六'],
  ['[DBNum2][$-411]General', 123_456, '壱拾弐萬参阡四百伍拾六'],
  ['[DBNum4][$-412]General', 1005, '일천오'],
  ['[DBNum1][$-804]yyyy"年"m"月"d"日"', march2026 - 93, '二〇二五年十二月十一日'],
  ['[DBNum1][$-804]General', 0, '〇'],
  ['h:mm a/p', 0.54, '12:57 p'],
  ['A/P h:mm', 0.04, 'A 12:57'],
  ['[$-C0A]d" de "mmmm" de "yyyy', may2019, '1 de mayo de 2019'],
  ['[$-0C0A]dddd', may2019, 'miércoles'],
  ['[$-FC19]d mmmm yyyy', may2019, '1 мая 2019'],
  ['h:mm:ss AM/PM', 0.5, '12:00:00 PM'],
])('the format %s shows %d as %s', (format, value, text) => {
  expect(shownAs(value, format, false)).toBe(text);
});
