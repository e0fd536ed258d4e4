import http from 'node:http';

/** The comparison: a server that passes on the model's bytes without reading them. */

const upstream = process.argv[2] ?? '';
const agent = new http.Agent({ keepAlive: true, maxSockets: 1000 });
const server = http.createServer((request, response) => {
  const forward = http.request(`${upstream}/chat/completions`, { method: 'POST', agent }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, { 'content-type': 'text/event-stream' });
    answer.pipe(response);
  });
  request.pipe(forward);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`listening ${typeof address === 'object' ? address?.port : ''}`);
});
