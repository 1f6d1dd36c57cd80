// Starts `meshloom lsp` for Loom files. What the editor shows of a program comes from there; colours come from the grammar.

const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');
const { clientOptions, serverOptions } = require('./options');

let client;

async function start() {
  const settings = vscode.workspace.getConfiguration('loom');
  client = new LanguageClient('loom', 'Loom', serverOptions(settings), clientOptions(settings));
  try {
    await client.start();
  } catch (error) {
    const command = settings.get('server');
    vscode.window.showErrorMessage(
      `Loom: \`${command} lsp\` did not start (${error.message}). Install meshloom, or set "loom.server" to its path.`,
    );
  }
}

async function stop() {
  const running = client;
  client = undefined;
  if (running?.isRunning()) await running.stop();
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand('loom.restart', async () => {
      await stop();
      await start();
    }),
    vscode.workspace.onDidChangeConfiguration(async event => {
      if (event.affectsConfiguration('loom')) {
        await stop();
        await start();
      }
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
