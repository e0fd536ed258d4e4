import { execFileSync, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Debian’s dovecot for one user, without TLS, on this machine alone. */
export interface Dovecot {
  port: number;
  user: string;
  password: string;
  stop(): Promise<void>;
}

const program = '/usr/sbin/dovecot';

export function hasDovecot(): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

export async function startDovecot(): Promise<Dovecot> {
  const home = await mkdtemp(path.join(tmpdir(), 'dovecot-'));
  await chmod(home, 0o755);
  await mkdir(path.join(home, 'mail'));
  const port = await freePort();
  const { username, uid, gid } = userInfo();
  const isRoot = uid === 0;
  // Dovecot runs no mail process as root.
  const [mailUid, mailGid] = isRoot ? [8, 8] : [uid, gid];
  const config = `
base_dir = ${home}/run
state_dir = ${home}/state
log_path = ${home}/log
protocols = imap
ssl = no
disable_plaintext_auth = no
listen = 127.0.0.1
${isRoot ? '' : `default_internal_user = ${username}\ndefault_internal_group = ${String(gid)}\ndefault_login_user = ${username}`}
mail_location = maildir:${home}/mail
first_valid_uid = 1
first_valid_gid = 1
passdb {
  driver = static
  args = password=a-password
}
userdb {
  driver = static
  args = uid=${mailUid} gid=${mailGid} home=${home}/mail
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
namespace inbox {
  inbox = yes
  separator = /
}
`;
  const file = path.join(home, 'dovecot.conf');
  await writeFile(file, config);
  if (isRoot) execFileSync('chown', ['-R', `${mailUid}:${mailGid}`, path.join(home, 'mail')]);
  const child = spawn(program, ['-F', '-c', file], { stdio: 'ignore' });
  for (let looks = 0; looks < 100 && !(await answers(port)); looks += 1) await sleep(100);
  return {
    port,
    user: 'inbox@example.com',
    password: 'a-password',
    async stop() {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await exited;
      await rm(home, { recursive: true, force: true });
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('data', () => resolve(true)).once('error', () => resolve(false));
    socket.once('data', () => socket.destroy()).once('error', () => socket.destroy());
  });
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<unknown>((resolve) => server.close(resolve));
  return port;
}
