/* The parts of mangled names that change although the source code does not. */
#include "cubin/kernels.h"

#define STATIC "__nv_static_"

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

/* A number and as many characters of an identifier after it, as in "3foo"; `start`: of
 * these characters. 0: it is something else. */
static size_t component(size_t *start, const char *text)
{
	size_t n = 0, digits = 0;
	while (ba_is_digit(text[digits]) && digits < 6)
		n = n * 10 + (size_t)(text[digits++] - '0');
	*start = digits;
	if (digits == 0 || !is_letter(text[digits]))
		return 0;
	for (size_t i = 0; i < n; i++)
		if (!is_letter(text[digits + i]) && !ba_is_digit(text[digits + i]))
			return 0;
	return digits + n;
}

/* Inline namespaces with a hash, a release or a list of architectures. */
static const char *replacement(const char *identifier)
{
	static const struct {
		const char *start;
		bool then_digit;
		const char *instead;
	} rows[] = {{"_GLOBAL__N_", false, "12_GLOBAL__N_1"}, {"_INTERNAL_", false, "9_INTERNAL"},
		{"_V_", true, "2_V"}, {"_SM_", true, "3_SM"}, {"CUB_", true, "2_V"},
		{"THRUST_", true, "2_V"}};
	for (size_t i = 0; i < BA_COUNT(rows); i++)
		if (ba_text_starts(identifier, rows[i].start) &&
			(!rows[i].then_digit || ba_is_digit(identifier[strlen(rows[i].start)])))
			return rows[i].instead;
	return NULL;
}

/* "__nv_static_22__2fd52c46_5_st_cu_main_sv": the length of all before "sv", or 0 */
static size_t static_prefix(const char *text)
{
	size_t start, n;
	if (!ba_text_starts(text, STATIC))
		return 0;
	n = (size_t)strtoul(text + strlen(STATIC), NULL, 10);
	start = strlen(STATIC) + strspn(text + strlen(STATIC), "0123456789") + 1;
	return n < 4096 && strnlen(text, start + n + 1) == start + n + 1 && text[start + n] == '_'
		       ? start + n + 1
		       : 0;
}

char *ba_kernel_canonical(const char *mangled)
{
	ba_buf out = BA_BUF_INIT;
	bool in_number = false;
	for (const char *p = mangled; *p;) {
		size_t start, length = static_prefix(p);
		if (length) {
			p += length;
			continue;
		}
		length = in_number ? 0 : component(&start, p);
		const char *instead = length ? replacement(p + start) : NULL;
		if (instead) {
			ba_buf_puts(&out, instead);
			p += length;
			continue;
		}
		in_number = ba_is_digit(*p);
		ba_buf_putc(&out, *p++);
	}
	return ba_buf_detach(&out);
}
