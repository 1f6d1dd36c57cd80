// The packed extension loads: nothing that it needs was left out of the bundle. In place of the editor stands something that has
// every name, so this says nothing of what the editor shows.

const assert = require('node:assert');
const Module = require('node:module');
const path = require('node:path');
const test = require('node:test');

test('the bundle needs the editor alone, and exports what the editor calls', () => {
  const asked = [];
  const editor = new Proxy(class {}, { get: (target, name) => (name in target ? target[name] : class {}) });
  const load = Module._load;
  Module._load = (name, ...rest) => {
    asked.push(name);
    return name === 'vscode' ? editor : load(name, ...rest);
  };
  try {
    const extension = require(path.join(__dirname, '..', 'dist', 'extension.js'));
    assert.deepStrictEqual(Object.keys(extension).sort(), ['activate', 'deactivate']);
  } finally {
    Module._load = load;
  }
  const outside = asked.slice(1).filter(name => name !== 'vscode' && !Module.isBuiltin(name));
  assert.deepStrictEqual(outside, []);
});
