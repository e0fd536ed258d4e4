import { execFileSync } from 'node:child_process';
import fileSystem, { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { folderConfig } from '@docwright/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { describeConnector } from '../testing/connector-suite.ts';
import type { FoundFile } from './connector.ts';
import { createFolderConnector } from './folder-connector.ts';

let root: string;
let folder: string;
let count = 0;
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'folder-'));
});
afterAll(async () => rm(root, { recursive: true }));
beforeEach(async () => {
  count += 1;
  folder = path.join(root, String(count));
  await mkdir(path.join(folder, 'in'), { recursive: true });
});

const connectorOf = (config: object = {}) =>
  createFolderConnector(folderConfig.parse({ path: path.join(folder, 'in'), settle_seconds: 0, ...config }), [folder]);
const write = (name: string, text: string) => writeFile(path.join(folder, 'in', name), text);
async function list(config: object = {}) {
  const found: FoundFile[] = [];
  const onUnsettled = vi.fn<(milliseconds: number) => void>();
  const callbacks = { onProblem: () => undefined, onUnsettled };
  for await (const batch of connectorOf(config).list(new AbortController().signal, callbacks)) found.push(...batch);
  return { found, names: found.map(({ identity }) => identity).toSorted(), onUnsettled };
}

describeConnector('folder', {
  canChange: true,
  async open() {
    await rm(path.join(folder, 'in'), { recursive: true });
    await mkdir(path.join(folder, 'in'));
    return connectorOf();
  },
  put: async (name, text) => write(name, text),
  remove: async (name) => rm(path.join(folder, 'in', name)),
});

it('leaves out what is ignored, too deep, hidden or a link', async () => {
  await mkdir(path.join(folder, 'in', 'a', 'b'), { recursive: true });
  await writeFile(path.join(folder, 'outside.txt'), 'x');
  await symlink(path.join(folder, 'outside.txt'), path.join(folder, 'in', 'link.txt'));
  for (const name of ['top.txt', 'a/one.txt', 'a/b/two.txt', '.hidden', '~$open.docx', 'x.PART'])
    await write(name, name);
  expect((await list()).names).toEqual(['a/b/two.txt', 'a/one.txt', 'top.txt']);
  expect((await list({ depth: 1, ignore: ['t?p.*'] })).names).toEqual([
    '.hidden',
    'a/one.txt',
    'x.PART',
    '~$open.docx',
  ]);
});

it('says which file it cannot take because its name is not written in UTF-8', async () => {
  const latin = Buffer.concat([
    Buffer.from(path.join(folder, 'in', 'M')),
    Buffer.from([0xfc]),
    Buffer.from('ller.txt'),
  ]);
  await writeFile(latin, 'x');
  const onProblem = vi.fn<(file: string, error: unknown) => void>();
  const { signal } = new AbortController();
  for await (const found of connectorOf().list(signal, { onProblem, onUnsettled: () => undefined })) {
    expect(found).toEqual([]);
  }
  expect(onProblem.mock.calls).toMatchObject([['M\ufffdller.txt', { code: 'file_unreadable' }]]);
});

it('does not wait for a pipe that has taken the place of a file', async () => {
  await write('a.txt', 'x');
  const [file] = (await list()).found;
  await rm(path.join(folder, 'in', 'a.txt'));
  execFileSync('mkfifo', [path.join(folder, 'in', 'a.txt')]);
  expect(await connectorOf().read(file!)).toBeUndefined();
});

it('takes a file whose time is in the future once its entry has not changed for long enough', async () => {
  await write('camera.txt', 'x');
  await utimes(path.join(folder, 'in', 'camera.txt'), new Date(), new Date('2099-01-01'));
  expect((await list({ settle_seconds: 1 })).names).toEqual([]);
  await sleep(1_100);
  expect((await list({ settle_seconds: 1 })).names).toEqual(['camera.txt']);
});

it('leaves out what fits a pattern, in little time for any pattern', { retry: 2 }, async () => {
  const name = 'a'.repeat(200);
  for (const each of [name, 'Report 2026.pdf', 'x.txt']) await write(each, 'x');
  const names = async (...ignore: string[]) => (await list({ ignore })).names;
  const started = process.threadCpuUsage();
  expect(await names(`${'*a'.repeat(90)}*b`)).toHaveLength(3);
  const { user } = process.threadCpuUsage(started);
  expect(user).toBeLessThan(200_000);
  expect(await names(`${'*a'.repeat(90)}*`, 'report*3?.PDF', 'x', '?')).toEqual(['Report 2026.pdf', 'x.txt']);
  expect(await names('report*2?.PDF')).toEqual([name, 'x.txt']);
  expect(await names('*.txt*')).toEqual(['Report 2026.pdf', name]);
});

it('says when a file that is still written may be complete', async () => {
  await write('a.txt', 'x');
  const { names, onUnsettled } = await list({ settle_seconds: 60 });
  expect(names).toEqual([]);
  expect(onUnsettled.mock.lastCall?.[0]).toBeGreaterThan(50_000);
});

it('names subfolders as tags if that is wanted', async () => {
  await mkdir(path.join(folder, 'in', 'Invoices', '2026'), { recursive: true });
  await write('Invoices/2026/a.txt', 'x');
  const tagsOf = async (config: object) => {
    const [file] = (await list()).found;
    return (await connectorOf(config).read(file!))?.[0]?.tagNames;
  };
  expect(await tagsOf({ subfolder_tags: true })).toEqual(['Invoices', '2026']);
  expect(await tagsOf({})).toEqual([]);
});

describe('afterwards', () => {
  it('moves a file and overwrites none, even when it is repeated', async () => {
    await mkdir(path.join(folder, 'in', 'done'));
    const config = { afterwards: { do: 'move_to', folder: 'done' } };
    await write('a.txt', 'First');
    const [first] = (await list(config)).found;
    expect(await connectorOf(config).settle?.(first!)).toBe('gone');
    expect(await connectorOf(config).settle?.(first!)).toBe('gone');
    await write('a.txt', 'Second');
    const [second, ...none] = (await list(config)).found;
    expect(none).toEqual([]);
    await connectorOf(config).settle?.(second!);
    const done = path.join(folder, 'in', 'done');
    expect((await readdir(done)).toSorted()).toEqual(['a (2).txt', 'a.txt']);
    expect(await readFile(path.join(done, 'a.txt'), 'utf8')).toBe('First');
    expect(await readFile(path.join(done, 'a (2).txt'), 'utf8')).toBe('Second');
  });

  it('deletes a file, but not one that was written to since', async () => {
    const config = { afterwards: { do: 'delete' } };
    await write('a.txt', 'Old');
    const [old] = (await list(config)).found;
    await write('a.txt', 'New and longer');
    expect(await connectorOf(config).settle?.(old!)).toBe('kept');
    const [current] = (await list(config)).found;
    expect(await connectorOf(config).settle?.(current!)).toBe('gone');
    expect((await list(config)).found).toEqual([]);
  });

  it('keeps a file that somebody writes to while it is copied to another file system', async () => {
    await mkdir(path.join(folder, 'in', 'done'));
    const config = { afterwards: { do: 'move_to', folder: 'done' } };
    await write('a.txt', 'Old');
    const [old] = (await list(config)).found;
    vi.spyOn(fileSystem, 'link').mockRejectedValueOnce(Object.assign(new Error('cross-device'), { code: 'EXDEV' }));
    vi.spyOn(fileSystem, 'copyFile').mockImplementationOnce(async (_from, to) => {
      await writeFile(to, 'Old');
      await write('a.txt', 'New and longer');
    });
    syncBuiltinESMExports();
    onTestFinished(() => {
      vi.restoreAllMocks();
      syncBuiltinESMExports();
    });
    expect(await connectorOf(config).settle?.(old!)).toBe('kept');
    expect(await readFile(path.join(folder, 'in', 'a.txt'), 'utf8')).toBe('New and longer');
    expect(await readdir(path.join(folder, 'in', 'done'))).toEqual([]);
  });

  it.each(['whole', 'in part'])(
    'makes no second copy on another file system after a kill that left one %s',
    async (left) => {
      const done = path.join(folder, 'in', 'done');
      await mkdir(done);
      const config = { afterwards: { do: 'move_to', folder: 'done' } };
      await write('a.txt', 'Text');
      const [file] = (await list(config)).found;
      const crossDevice = Object.assign(new Error('cross-device'), { code: 'EXDEV' });
      vi.spyOn(fileSystem, 'link').mockRejectedValue(crossDevice);
      const kill = new Error('killed');
      if (left === 'whole') vi.spyOn(fileSystem, 'unlink').mockRejectedValueOnce(kill);
      else
        vi.spyOn(fileSystem, 'copyFile').mockImplementationOnce(async (_from, to) => {
          await writeFile(to, 'Te');
          throw kill;
        });
      syncBuiltinESMExports();
      onTestFinished(() => {
        vi.restoreAllMocks();
        syncBuiltinESMExports();
      });
      await expect(connectorOf(config).settle?.(file!)).rejects.toBe(kill);
      expect(await connectorOf(config).settle?.(file!)).toBe('gone');
      expect(await readdir(done)).toEqual(['a.txt']);
      expect(await readFile(path.join(done, 'a.txt'), 'utf8')).toBe('Text');
    },
  );

  it('goes nowhere outside of the operator’s directory', async () => {
    const config = { afterwards: { do: 'move_to', folder: '../../..' } };
    await expect(connectorOf(config).check()).rejects.toMatchObject({ code: 'folder_not_allowed' });
    // A link in the folder where files go.
    await mkdir(path.join(folder, 'in', 'done'));
    await mkdir(path.join(folder, 'in', 'deep'));
    await mkdir(path.join(root, `aim-${count}`));
    await symlink(path.join(root, `aim-${count}`), path.join(folder, 'in', 'done', 'deep'));
    await write('deep/b.txt', 'Mine');
    const moving = connectorOf({ afterwards: { do: 'move_to', folder: 'done' } });
    const [moved] = (await list({ ignore: ['done'] })).found;
    await expect(moving.settle?.(moved!)).rejects.toMatchObject({ code: 'folder_not_allowed' });
    expect(await readdir(path.join(root, `aim-${count}`))).toEqual([]);
    expect(await readFile(path.join(folder, 'in', 'deep', 'b.txt'), 'utf8')).toBe('Mine');
    await rm(path.join(folder, 'in', 'deep'), { recursive: true });
    // A folder that becomes a link between the listing and the end.
    await mkdir(path.join(folder, 'in', 'sub'));
    await write('sub/a.txt', 'x');
    const [file] = (await list()).found;
    await mkdir(path.join(root, `other-${count}`));
    await writeFile(path.join(root, `other-${count}`, 'a.txt'), 'Not yours');
    await rm(path.join(folder, 'in', 'sub'), { recursive: true });
    await symlink(path.join(root, `other-${count}`), path.join(folder, 'in', 'sub'));
    await expect(connectorOf().read(file!)).rejects.toMatchObject({ code: 'folder_not_allowed' });
    await connectorOf({ afterwards: { do: 'delete' } }).settle?.(file!);
    expect(await readFile(path.join(root, `other-${count}`, 'a.txt'), 'utf8')).toBe('Not yours');
  });
});

it('tells changes below the folder, in new subfolders too, and nothing once it is told to stop', async () => {
  const onChange = vi.fn<() => void>();
  const stop = await connectorOf().watch!(onChange);
  await write('a.txt', 'x');
  await vi.waitFor(() => expect(onChange).toHaveBeenCalled());
  await mkdir(path.join(folder, 'in', 'new'));
  await sleep(100);
  onChange.mockClear();
  await write('new/b.txt', 'x');
  await vi.waitFor(() => expect(onChange).toHaveBeenCalled());
  stop();
  onChange.mockClear();
  await write('c.txt', 'x');
  await sleep(100);
  expect(onChange).not.toHaveBeenCalled();
});
