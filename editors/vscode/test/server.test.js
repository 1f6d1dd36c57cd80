// The extension's own options start a server that an editor's protocol library can talk to. MESHLOOM is the command.

const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const { spawn } = require('node:child_process');
const { StreamMessageReader, StreamMessageWriter, createMessageConnection } = require('vscode-jsonrpc/node');
const { clientOptions, serverOptions } = require('../src/options');

const settings = { get: name => ({ server: process.env.MESHLOOM, plan: 'never' })[name] };

test('the server says what is wrong with a program', async () => {
  const { command, args } = serverOptions(settings);
  const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const connection = createMessageConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin));
  const said = new Promise(resolve => {
    connection.onNotification('textDocument/publishDiagnostics', p => resolve(p));
  });
  connection.listen();
  const { capabilities } = await connection.sendRequest('initialize', {
    processId: process.pid,
    rootUri: null,
    capabilities: {},
    initializationOptions: clientOptions(settings).initializationOptions,
  });
  assert.strictEqual(capabilities.hoverProvider, true);
  connection.sendNotification('initialized', {});
  const file = path.join(__dirname, '..', '..', '..', 'examples', 'mlp.loom');
  const text = fs.readFileSync(file, 'utf8').replace('relu(', 'relo(');
  const uri = `file://${file}`;
  connection.sendNotification('textDocument/didOpen', { textDocument: { uri, languageId: 'loom', version: 1, text } });
  const { diagnostics } = await said;
  assert.strictEqual(diagnostics.length, 1);
  assert.match(diagnostics[0].message, /relo/);
  await connection.sendRequest('shutdown');
  connection.sendNotification('exit');
  const code = await new Promise(resolve => server.on('exit', resolve));
  assert.strictEqual(code, 0);
  connection.dispose();
});
