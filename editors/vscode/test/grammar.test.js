// The TextMate grammar on every example and every file of the library: each character but blanks gets a scope of its own, no
// bracket of a layout stays open, and some names get the scopes that they should.

const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const oniguruma = require('vscode-oniguruma');
const { INITIAL, Registry, parseRawGrammar } = require('vscode-textmate');

const here = path.join(__dirname, '..');
const root = path.join(here, '..', '..');

async function load() {
  const wasm = fs.readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm'));
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
  const file = path.join(here, 'syntaxes', 'loom.tmLanguage.json');
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: patterns => new oniguruma.OnigScanner(patterns),
      createOnigString: text => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => parseRawGrammar(fs.readFileSync(file, 'utf8'), file),
  });
  return registry.loadGrammar('source.loom');
}

function tokens(grammar, text) {
  let state = INITIAL;
  const out = [];
  for (const [i, line] of text.split('\n').entries()) {
    const result = grammar.tokenizeLine(line, state);
    state = result.ruleStack;
    for (const t of result.tokens) {
      const piece = line.slice(t.startIndex, t.endIndex);
      out.push({ line: i + 1, text: piece, scope: t.scopes[t.scopes.length - 1], depth: t.scopes.length });
    }
  }
  return { out, state };
}

function sources() {
  const folders = ['examples', 'examples/large', 'compiler/syntax/lib'].map(f => path.join(root, f));
  return folders.flatMap(f => fs.readdirSync(f).filter(n => n.endsWith('.loom')).sort().map(n => path.join(f, n)));
}

test('grammar', async t => {
  const grammar = await load();
  await t.test('every example and the library', () => {
    const files = sources();
    assert.ok(files.length > 20, 'the sources are where this test looks for them');
    for (const file of files) {
      const { out, state } = tokens(grammar, fs.readFileSync(file, 'utf8'));
      for (const token of out) {
        assert.ok(token.depth > 1 || token.text.trim() === '', `${file}:${token.line}: no scope for \`${token.text}\``);
      }
      assert.strictEqual(state.depth, 1, `${file}: something stays open at its end`);
    }
  });
  await t.test('names', () => {
    const text = fs.readFileSync(path.join(root, 'examples', 'gpt.loom'), 'utf8');
    const { out } = tokens(grammar, text);
    const scope = (name, line) => out.find(t => t.text === name && text.split('\n')[t.line - 1].includes(line))?.scope;
    for (const [name, line, wanted] of [
      ['Block', 'struct Block', 'entity.name.type.struct.loom'],
      ['model', 'up:    f32', 'constant.other.axis.loom'],
      ['f32', 'up:    f32', 'support.type.loom'],
      ['block', 'fn block', 'entity.name.function.loom'],
      ['layer_norm', 'let h = layer_norm', 'entity.name.function.call.loom'],
      ['norm1', 'let h = layer_norm', 'variable.other.member.loom'],
      ['causal', 'causal: true', 'variable.parameter.loom'],
      ['true', 'causal: true', 'constant.language.boolean.loom'],
      ['"bse,nehd->nbhsd"', 'einsum', 'string.quoted.double.loom'],
      ['1e-3', 'peak: 1e-3', 'constant.numeric.float.loom'],
      ['largest', 'params *: largest', 'support.function.loom'],
      ['*', 'params *: largest', 'variable.other.member.loom'],
      ['let', 'let h = layer_norm', 'storage.type.loom'],
    ]) {
      assert.strictEqual(scope(name, line), wanted, `${name} in ${line}`);
    }
  });
  await t.test('some layers of a list', () => {
    const text = 'layout l {\n    params blocks[0..2].w1: [_, model]\n    state blocks[7]: like params\n}\n';
    const { out, state } = tokens(grammar, text);
    assert.strictEqual(state.depth, 1);
    const scopes = line => out.filter(t => t.line === line && t.text.trim() !== '').map(t => [t.text, t.scope]);
    const [number, member] = ['constant.numeric.integer.loom', 'variable.other.member.loom'];
    const bracket = end => `punctuation.section.brackets.${end}.loom`;
    assert.deepStrictEqual(scopes(2).slice(0, 10), [
      ['params', 'keyword.other.role.loom'], ['blocks', member], ['[', bracket('begin')], ['0', number],
      ['..', 'keyword.operator.loom'], ['2', number], [']', bracket('end')], ['.', 'punctuation.separator.loom'],
      ['w1', member], [':', 'punctuation.separator.loom'],
    ]);
    assert.deepStrictEqual(scopes(3), [
      ['state', 'keyword.other.role.loom'], ['blocks', member], ['[', bracket('begin')], ['7', number], [']', bracket('end')],
      [':', 'punctuation.separator.loom'], ['like params', 'keyword.other.loom'],
    ]);
  });
  await t.test('keywords are those of the compiler', () => {
    const lexer = fs.readFileSync(path.join(root, 'compiler', 'syntax', 'src', 'token.rs'), 'utf8');
    const keywords = [...lexer.matchAll(/^ {4}[A-Z][A-Za-z]* "([a-z]+)",$/gm)].map(m => m[1]);
    assert.strictEqual(keywords.length, 22);
    for (const word of keywords) {
      const { scope } = tokens(grammar, word).out[0];
      assert.match(scope, /^(keyword|storage|constant\.language)/, word);
    }
  });
});
