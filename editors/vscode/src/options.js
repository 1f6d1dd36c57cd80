// How the server is started, and what it is told: from the settings, without an editor, so that tests can ask too.

const serverOptions = settings => ({
  command: settings.get('server') || 'meshloom',
  args: ['lsp'],
});

const clientOptions = settings => ({
  documentSelector: [
    { scheme: 'file', language: 'loom' },
    { scheme: 'untitled', language: 'loom' },
  ],
  initializationOptions: { plan: settings.get('plan') || 'pause' },
});

module.exports = { clientOptions, serverOptions };
