#include "disasm/listing.h"

#define SECTION "\t.section\t.text."
#define REUSE ".reuse"
#define LINES_MOST ((unsigned long)INT32_MAX)

BA_OWNS(ba_listing, l, BA_FREE_EACH(x, l->instructions, l->count, BA_FREE(x->text, x->plain)),
	BA_FREE_EACH(x, l->blocks, l->block_count, free(x->label)), ba_strv_dispose(&l->files))

/* ---- one instruction ---- */

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

/* The length of the register name at the start of the text, up to its number: R12, UR4,
 * P0, UP1, B2, SB1; 0: it is not a register. */
static size_t register_prefix(const char *text)
{
	static const char *const names[] = {"UR", "UP", "SB", "R", "P", "B"};
	for (size_t i = 0; i < BA_COUNT(names); i++) {
		size_t n = strlen(names[i]);
		size_t digits = strspn(text + n * ba_text_starts(text, names[i]), "0123456789");
		if (ba_text_starts(text, names[i]) && digits &&
			(!is_word(text[n + digits]) || text[n + digits] == '.'))
			return n;
	}
	return 0;
}

/* The text without the numbers of registers and labels, and without ".reuse", which
 * only affects register caching. */
static char *plain_of(const char *text)
{
	ba_buf out = BA_BUF_INIT;
	for (const char *at = text; *at;) {
		bool begins = at == text || !is_word(at[-1]);
		size_t n = begins ? register_prefix(at) : 0;
		if (n) {
			ba_buf_put(&out, at, n);
			at += n;
			at += strspn(at, "0123456789");
			if (ba_text_starts(at, REUSE))
				at += strlen(REUSE);
		} else if (begins && ba_text_starts(at, ".L_")) {
			ba_buf_puts(&out, ".L");
			while (is_word(*at))
				at++;
		} else
			ba_buf_putc(&out, *at++);
	}
	return ba_buf_detach(&out);
}

static void trim(char *text)
{
	size_t n = strlen(text);
	while (n && strchr(" \t;", text[n - 1]))
		text[--n] = '\0';
}

/* without the predicate */
static const char *opcode_of(const ba_instruction *i)
{
	const char *at = i->text;
	if (*at == '@')
		at += strcspn(at, " ");
	return at + strspn(at, " ");
}

static bool has_opcode(const ba_instruction *i, const char *opcode)
{
	const char *at = opcode_of(i);
	size_t n = strcspn(at, ". ");
	return n == strlen(opcode) && strncmp(at, opcode, n) == 0;
}

/* Is it the last instruction of its block? */
static bool ends_block(const ba_instruction *i)
{
	static const char *const opcodes[] = {"BRA", "BRX", "BRXU", "JMP", "JMX", "JMXU", "EXIT",
		"RET", "CALL", "BREAK", "KILL", "BPT"};
	return BA_ANY(opcodes, BA_COUNT(opcodes), one, has_opcode(i, *one));
}

/* ---- the text, line by line ---- */

typedef struct reader {
	ba_listing *out;
	char *section; /* as nvdisasm writes it, up to the comma */
	bool inside, ended;
	char *label; /* of the next instruction */
	const char *file;
	unsigned line;
} reader;

static void add_instruction(reader *r, const char *text)
{
	ba_listing *l = r->out;
	bool begins = r->label || l->count == 0 || ends_block(&l->instructions[l->count - 1]);
	if (begins) {
		*BA_PUSH(l->blocks, l->block_count, l->block_room) =
			(ba_block){.label = r->label, .first = l->count};
		r->label = NULL;
	}
	char *safe = ba_text_safe(text);
	trim(safe);
	*BA_PUSH(l->instructions, l->count, l->room) = (ba_instruction){
		.text = safe, .plain = plain_of(safe), .file = r->file, .line = r->line};
	l->blocks[l->block_count - 1].count++;
}

/* `//## File "/a/b.cu", line 9 inlined at ...` */
static void take_line(reader *r, const char *text)
{
	const char *name = strchr(text, '"');
	const char *end = name ? strchr(name + 1, '"') : NULL;
	const char *number = end ? strstr(end, "line ") : NULL;
	unsigned long line = number ? strtoul(number + strlen("line "), NULL, 10) : 0;
	if (line == 0 || line > LINES_MOST)
		return;
	BA_AUTO_FREE char *raw = ba_xstrndup(name + 1, (size_t)(end - name - 1));
	BA_AUTO_FREE char *file = ba_text_safe(raw);
	ba_strv *files = &r->out->files;
	if (files->count == 0 || strcmp(files->items[files->count - 1], file) != 0)
		ba_strv_push(files, file);
	r->file = files->items[files->count - 1];
	r->line = (unsigned)line;
}

static void take_label(reader *r, const char *text)
{
	size_t n = strcspn(text, ":");
	/* ".text.NAME:" repeats the section */
	if (text[n] != ':' || ba_text_starts(text, ".text."))
		return;
	free(r->label);
	BA_AUTO_FREE char *label = ba_xstrndup(text, n);
	r->label = ba_text_safe(label);
}

static void take(reader *r, const char *line)
{
	const char *text = line + strspn(line, " \t");
	if (ba_text_starts(line, "\t.section\t")) {
		r->ended = r->ended || r->inside;
		r->inside = !r->ended && ba_text_starts(line, r->section);
	} else if (!r->inside)
		return;
	else if (ba_text_starts(text, "//## File "))
		take_line(r, text);
	else if (ba_text_starts(text, "/*") && strstr(text, "*/")) {
		text = strstr(text, "*/") + 2;
		text += strspn(text, " \t");
		/* a second line of the encoding has no instruction */
		if (*text && *text != '/')
			add_instruction(r, text);
	} else if (line == text && *line)
		take_label(r, text);
}

/* Removes the padding after the kernel: a branch to itself, and NOPs. */
static void cut_filling(ba_listing *l)
{
	size_t n = l->count;
	while (n && has_opcode(&l->instructions[n - 1], "NOP"))
		n--;
	const ba_block *last = l->block_count ? &l->blocks[l->block_count - 1] : NULL;
	while (n && last->first >= n)
		last--;
	if (n && last->label && last->first == n - 1 &&
		has_opcode(&l->instructions[n - 1], "BRA") &&
		strstr(l->instructions[n - 1].text, last->label))
		n--;
	while (l->count > n) {
		free(l->instructions[--l->count].text);
		free(l->instructions[l->count].plain);
	}
	while (l->block_count && l->blocks[l->block_count - 1].first >= n)
		free(l->blocks[--l->block_count].label);
	if (l->block_count)
		l->blocks[l->block_count - 1].count = n - l->blocks[l->block_count - 1].first;
}

bool ba_listing_read(ba_listing *out, const char *text, size_t size, const char *kernel)
{
	BA_AUTO_FREE char *section = ba_xprintf(SECTION "%s,", kernel);
	reader r = {.out = out, .section = section};
	for (const char *at = text, *end = text + size; at < end && !r.ended;) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		size_t n = (size_t)((newline ? newline : end) - at);
		BA_AUTO_FREE char *line = ba_xstrndup(at, n);
		take(&r, line);
		at += n + 1;
	}
	free(r.label);
	cut_filling(out);
	return out->count > 0;
}
