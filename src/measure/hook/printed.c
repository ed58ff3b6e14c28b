#include "hook/printed.h"

#include <sys/mman.h>

#include "base/jsonlex.h"

ba_paper ba_paper_begin(bool with_stdout)
{
	ba_paper p = {.fd = memfd_create("printed", MFD_CLOEXEC), .before = -1};
	if (with_stdout) {
		fflush(stdout);
		p.before = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
		dup2(p.fd, STDOUT_FILENO);
	}
	return p;
}

void ba_paper_read(ba_buf *out, int fd)
{
	char part[4096];
	off_t at = 0;
	ba_buf_reserve(out, 1);
	for (ssize_t n; (n = pread(fd, part, sizeof(part), at)) > 0; at += n)
		ba_buf_put(out, part, (size_t)n);
}

void ba_paper_end(ba_buf *out, const ba_paper *p)
{
	if (p->before >= 0) {
		fflush(stdout);
		dup2(p->before, STDOUT_FILENO);
		close(p->before);
	}
	ba_paper_read(out, p->fd);
	close(p->fd);
}

char *ba_printed_member(char *line, size_t *indent, char **key)
{
	*indent = strspn(line, " ");
	*key = line + *indent;
	char *end = **key == '"' ? strstr(*key, "\": ") : NULL;
	if (!end)
		return NULL;
	*end = '\0';
	++*key;
	return end + 3;
}

char *ba_printed_text(const char *value)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_lex l;
	if (*value != '"')
		return ba_xstrndup(value, strcspn(value, ", \n"));
	ba_lex_memory(&l, value, strlen(value));
	ba_lex_string(&text, SIZE_MAX, &l);
	return ba_buf_detach(&text);
}
