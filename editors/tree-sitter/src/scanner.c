// Where a newline ends a statement: as in compiler/syntax/src/token.rs, not if the next line goes on with an operator, `.`, `@`,
// `else`, `as` or a closing bracket. `-b` begins a statement, `- b` goes on. The parser asks only where a statement can end.

#include "tree_sitter/parser.h"

enum { SEPARATOR };

void *tree_sitter_loom_external_scanner_create(void) { return NULL; }
void tree_sitter_loom_external_scanner_destroy(void *payload) { (void)payload; }
unsigned tree_sitter_loom_external_scanner_serialize(void *payload, char *buffer) {
    (void)payload;
    (void)buffer;
    return 0;
}
void tree_sitter_loom_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
    (void)payload;
    (void)buffer;
    (void)length;
}

static bool is_blank(int32_t c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f'; }

static bool is_word(int32_t c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// Whether the word at the cursor is this one.
static bool word(TSLexer *lexer, const char *wanted) {
    for (; *wanted; wanted++) {
        if (lexer->lookahead != *wanted) return false;
        lexer->advance(lexer, false);
    }
    return !is_word(lexer->lookahead);
}

bool tree_sitter_loom_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
    (void)payload;
    if (!valid[SEPARATOR]) return false;
    bool newline = false;
    for (;;) {
        if (lexer->lookahead == '\n') {
            // The token is the first newline: with no text of its own it would be found here again without end.
            lexer->advance(lexer, newline);
            if (!newline) lexer->mark_end(lexer);
            newline = true;
        } else if (is_blank(lexer->lookahead)) {
            lexer->advance(lexer, true);
        } else if (lexer->lookahead == '/') {
            lexer->advance(lexer, true);
            // Division goes on with the line before.
            if (lexer->lookahead != '/') return false;
            while (lexer->lookahead != '\n' && !lexer->eof(lexer)) lexer->advance(lexer, true);
        } else {
            break;
        }
    }
    if (!newline || lexer->eof(lexer)) return false;
    lexer->result_symbol = SEPARATOR;
    switch (lexer->lookahead) {
        case '+': case '*': case '=': case '<': case '>': case '&': case '|': case '.': case '@': case ',':
        case ')': case ']': case '}': case '{':
            return false;
        case '-':
            lexer->advance(lexer, false);
            return lexer->lookahead != ' ' && lexer->lookahead != '\t' && lexer->lookahead != '\n';
        case '!':
            lexer->advance(lexer, false);
            return lexer->lookahead != '=';
        case 'e':
            return !word(lexer, "else");
        case 'a':
            return !word(lexer, "as");
        default:
            return true;
    }
}
