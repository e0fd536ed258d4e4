/* For mongosh: makes the three members a replica set, unless they are one, and waits for a primary. */
try {
  rs.status();
} catch {
  const members = ['mongo-1', 'mongo-2', 'mongo-3'].map((host, _id) => ({ _id, host: `${host}:27017` }));
  rs.initiate({ _id: 'docwright', members });
}
for (let waited = 0; !db.hello().isWritablePrimary && !db.hello().primary; waited += 1) {
  if (waited > 60) throw new Error('no member became primary within a minute');
  sleep(1000);
}
