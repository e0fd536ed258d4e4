import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { password, root, startSignedInProduct, type SignedInProduct } from './signed-in-product.ts';

/** `script` of util-linux gives a command a terminal without a native module. */
const script = '/usr/bin/script';
const canHaveTerminal = process.platform === 'linux' && fs.existsSync(script);

let product: SignedInProduct;
beforeAll(async () => {
  product = await startSignedInProduct();
});
afterAll(() => product.stop());

/** Types each text after its mark was printed; an empty mark does not wait. */
function atTerminal(args: string[], typed: [mark: string, text: string][], env: Record<string, string> = {}) {
  const bin = path.join(root, 'packages/sdk/bin/docwright.mjs');
  const command = [process.execPath, bin, ...args].map((part) => `'${part}'`).join(' ');
  const child = spawn(script, ['-qefc', command, '/dev/null'], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      TERM: 'xterm',
      DOCWRIGHT_URL: product.url,
      XDG_CONFIG_HOME: product.folder,
      ...env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  let from = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    for (let [next] = typed; next !== undefined; [next] = typed) {
      const [mark, text] = next;
      const at = output.indexOf(mark, from);
      if (at < 0) return;
      from = at + mark.length;
      typed.shift();
      // The reader sets up the terminal shortly after it prints the question.
      setTimeout(() => child.stdin.write(text), mark === '' ? 0 : 100);
    }
  });
  return new Promise<{ code: number | null; output: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, output }));
  });
}

describe.skipIf(!canHaveTerminal)('at a terminal', () => {
  test('login asks for e-mail and password and does not show the password', async () => {
    const { code, output } = await atTerminal(
      ['login', product.url],
      [
        ['E-mail: ', `${product.email}\r`],
        ['Password: ', `${password}\r`],
      ],
    );
    expect(code).toBe(0);
    expect(output).toContain(`Signed in at ${product.url}`);
    expect(output).not.toContain(password);
  });

  test('text that was typed before a card appeared approves nothing', async () => {
    const { id } = await product.client.documents.upload({
      name: 'note.txt',
      content: 'Invoice INV-7\nTotal: 5 EUR\n',
    });
    await product.client.documents.waitForText(id);
    const please = 'create a schema for this invoice and extract it';
    const { code, output } = await atTerminal(
      ['chat', id, please],
      [
        ['Talking about', 'y\r'],
        ['[q]uit: ', 'q\r'],
      ],
      { DOCWRIGHT_TOKEN: product.token },
    );
    expect(code).toBe(5);
    expect(output).toContain('asks for approval');
    expect((await product.client.schemas.list()).total_count).toBe(0);

    const approved = await atTerminal(
      ['chat', id, please],
      [
        ['[q]uit: ', 'y\r'],
        ['[q]uit: ', 'x\r'],
        ['you › ', '\u0004'],
      ],
      { DOCWRIGHT_TOKEN: product.token },
    );
    expect(approved.output).toContain('\u001b[32m✓');
    expect((await product.client.schemas.list()).total_count).toBe(1);
  });
});
