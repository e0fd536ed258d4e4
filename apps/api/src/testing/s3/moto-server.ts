import { execFileSync, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';

interface Moto {
  endpoint: string;
  stop(): void;
}

async function start(bucket: string, key: { accessKeyId: string; secretAccessKey: string }): Promise<Moto> {
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const child = spawn('moto_server', ['-p', String(port)], { stdio: 'ignore' });
  const answers = () => fetch(endpoint).then(Boolean, () => false);
  for (let looks = 0; looks < 150 && !(await answers()); looks += 1) await sleep(100);
  const url = `${endpoint}/${bucket}`;
  const signed = await new AwsV4Signer({ url, method: 'PUT', ...key, service: 's3', region: 'us-east-1' }).sign();
  await fetch(url, { method: 'PUT', headers: signed.headers });
  return { endpoint, stop: () => void child.kill() };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function isInstalled(): boolean {
  try {
    execFileSync('sh', ['-c', 'command -v moto_server'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Starts the S3 server of moto with an empty bucket, where it is installed: `pip install 'moto[server,s3]'`. */
export const startMoto = Object.assign(start, { isInstalled: isInstalled() });
