#include "proc/handle.h"

static void drop_front(ba_capture *c, size_t n)
{
	memmove(c->text->data, c->text->data + n, c->text->len - n);
	ba_buf_truncate(c->text, c->text->len - n);
	*c->dropped += n;
}

static void keep(ba_capture *c, const char *data, size_t n)
{
	if (c->mode == BA_OUTPUT_HEAD) {
		size_t room = c->ceiling - c->text->len;
		size_t kept = n < room ? n : room;
		ba_buf_put(c->text, data, kept);
		*c->dropped += n - kept;
		return;
	}
	ba_buf_put(c->text, data, n);
	if (c->text->len >= 2 * c->ceiling)
		drop_front(c, c->text->len - c->ceiling);
}

static void log_put(ba_proc *p, const char *data, size_t n)
{
	if (p->log_fd < 0)
		return;
	uint64_t room = p->log_ceiling - p->log_bytes;
	size_t kept = n < room ? n : (size_t)room;
	if (kept && !p->result.log_errno && ba_fs_write_all(p->log_fd, data, kept))
		p->result.log_errno = errno;
	p->log_bytes += kept;
	p->result.log_dropped += n - kept;
}

void ba_capture_read(ba_proc *p, ba_capture *c)
{
	char chunk[65536];
	/* limited, so that a child that never stops writing cannot block this process */
	for (int turns = 0; turns < 16 && c->fd >= 0; turns++) {
		ssize_t n = read(c->fd, chunk, sizeof(chunk));
		if (n > 0) {
			keep(c, chunk, (size_t)n);
			log_put(p, chunk, (size_t)n);
		} else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
			ba_handle_close(&c->fd);
		} else if (errno == EAGAIN) {
			return;
		}
	}
}

static void capture_end(ba_proc *p, ba_capture *c)
{
	ba_capture_read(p, c);
	ba_handle_close(&c->fd);
	if (c->mode != BA_OUTPUT_TAIL || (c->text->len <= c->ceiling && !*c->dropped))
		return;
	size_t surplus = c->text->len > c->ceiling ? c->text->len - c->ceiling : 0;
	/* begins with a complete line if possible */
	const char *newline = memchr(c->text->data + surplus, '\n', c->text->len - surplus);
	if (newline && newline + 1 < c->text->data + c->text->len)
		surplus = (size_t)(newline + 1 - c->text->data);
	drop_front(c, surplus);
}

static void log_end(ba_proc *p)
{
	BA_AUTO(ba_buf) ba_buf note = BA_BUF_INIT;
	if (p->log_fd < 0)
		return;
	if (p->result.log_dropped) {
		ba_buf_printf(&note,
			"\n[bench-against: the log is full at %llu bytes; %llu more were not kept]\n",
			(unsigned long long)p->log_ceiling,
			(unsigned long long)p->result.log_dropped);
		if (p->out.mode == BA_OUTPUT_TAIL) {
			ba_buf_puts(&note, "[bench-against: the last lines were]\n");
			ba_buf_put(&note, p->result.out.data, p->result.out.len);
		}
		if (!p->result.log_errno && ba_fs_write_all(p->log_fd, note.data, note.len))
			p->result.log_errno = errno;
	}
	if (close(p->log_fd) && !p->result.log_errno)
		p->result.log_errno = errno;
	p->log_fd = -1;
}

void ba_capture_finish(ba_proc *p)
{
	capture_end(p, &p->out);
	capture_end(p, &p->err);
	log_end(p);
}
