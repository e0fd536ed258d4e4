import { expect, it } from 'vitest';
import { deviceName } from './device-name.ts';

it('names the browser and the system', () => {
  const mozilla = 'Mozilla/5.0';
  const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
  expect(deviceName(`${mozilla} (X11; Linux x86_64) ${chrome}`)).toBe('Chrome on Linux');
  expect(deviceName(`${mozilla} (Linux; Android 10; K) ${chrome}`)).toBe('Chrome on Android');
  expect(deviceName(`${mozilla} (Windows NT 10.0; Win64; x64) ${chrome} Edg/140.0.0.0`)).toBe('Edge on Windows');
  expect(deviceName(`${mozilla} (Windows NT 10.0; rv:130.0) Gecko/20100101 Firefox/130.0`)).toBe('Firefox on Windows');
  expect(deviceName(`${mozilla} (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1`)).toBe(
    'Safari on iPhone',
  );
});

it('names a program by its first word, and an unknown device', () => {
  expect(deviceName('curl/8.5.0')).toBe('curl');
  expect(deviceName('')).toBe('Unknown device');
});
