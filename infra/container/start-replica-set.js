/*
 * For mongosh on the machine of mongo-1: makes the three members a replica set and its users, unless they are there. Until
 * the first user exists, MongoDB lets only its own machine do this.
 */
const fs = require('node:fs');
const secret = (name) => fs.readFileSync(`/run/secrets/${name}`, 'utf8').trim();
const uri = secret('mongodb-uri');
const [, password] = /^mongodb:\/\/docwright:([\w.~-]+)@/.exec(uri) ?? [];
if (password === undefined) {
  throw new Error(
    'secrets/mongodb-uri starts with mongodb://docwright:PASSWORD@, with a password of letters, digits, - . _ ~',
  );
}
const root = { user: 'root', pwd: secret('mongodb-root-password') };

// What needs no user: rs.status() would.
if (db.hello().setName === undefined) {
  // The member that has the users from the start is the one that makes them.
  const members = ['mongo-1', 'mongo-2', 'mongo-3'].map((host, _id) => ({
    _id,
    host: `${host}:27017`,
    priority: host === 'mongo-1' ? 2 : 1,
  }));
  rs.initiate({ _id: 'docwright', members });
}
for (let waited = 0; !db.hello().isWritablePrimary && !db.hello().primary; waited += 1) {
  if (waited > 60) throw new Error('no member became primary within a minute');
  sleep(1000);
}

const admin = db.getSiblingDB('admin');
function isSignedIn() {
  try {
    return admin.auth(root.user, root.pwd).ok === 1;
  } catch {
    return false;
  }
}
if (!isSignedIn()) {
  // Another member can win the first election; mongo-1 has the higher priority and takes over.
  for (let waited = 0; !db.hello().isWritablePrimary && waited < 60; waited += 1) sleep(1000);
  if (!db.hello().isWritablePrimary) {
    throw new Error(
      'the users can be made only where mongo-1 is the primary, or secrets/mongodb-root-password is not the password of root',
    );
  }
  admin.createUser({ ...root, roles: ['root'] });
  if (!isSignedIn()) throw new Error('root cannot sign in');
}
// The rest goes to the primary, whichever member that is.
const docwright = connect(
  `mongodb://root:${encodeURIComponent(root.pwd)}@mongo-1,mongo-2,mongo-3/docwright?replicaSet=docwright&authSource=admin`,
);
const roles = [{ role: 'dbOwner', db: 'docwright' }];
if (docwright.getUser('docwright') === null) docwright.createUser({ user: 'docwright', pwd: password, roles });
else docwright.updateUser('docwright', { pwd: password, roles });
