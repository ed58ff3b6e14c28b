#include "counter/trace.h"

/* limits of what the host reads, because a process may write any number */
#define CALLS_MOST 1000u
#define ADDRESSES_MOST ((uint64_t)1 << 28)
#define MAPS_MOST ((uint64_t)16 << 20)
#define HEAD_NUMBERS 3

/* ---- to write ---- */

struct ba_trace_file {
	char *path;
	uint64_t *counts, *addresses;
	size_t calls, used, room;
	bool whole; /* all calls have addresses */
};

ba_trace_file *ba_trace_create(const char *path)
{
	ba_trace_file *f = ba_xcalloc(1, sizeof(*f));
	*f = (ba_trace_file){.path = ba_xstrdup(path), .whole = true};
	return f;
}

void ba_trace_add(ba_trace_file *f, const ba_counted *counted)
{
	size_t n = counted->addresses ? (size_t)counted->instructions : 0;
	*BA_APPEND(f->counts, f->calls) = counted->instructions;
	f->addresses = BA_GROW(f->addresses, &f->room, f->used + n);
	if (n)
		memcpy(f->addresses + f->used, counted->addresses, n * sizeof(*f->addresses));
	f->used += n;
	f->whole = f->whole && counted->addresses;
}

static bool put(FILE *out, const void *data, size_t size)
{
	return fwrite(data, 1, size, out) == size;
}

BA_OWNS_HANDLE(ba_trace_file, f, BA_FREE(f->path, f->counts, f->addresses))

int ba_trace_write(const ba_trace_file *f, ba_error *err)
{
	BA_AUTO_FREE char *maps = NULL;
	size_t room = 0;
	FILE *in = fopen("/proc/self/maps", "re");
	ssize_t maps_bytes = in ? getdelim(&maps, &room, '\0', in) : -1;
	if (in)
		fclose(in);
	FILE *out = fopen(f->path, "we");
	size_t used = f->whole ? f->used : 0;
	const uint64_t head[HEAD_NUMBERS] = {f->calls, used, (uint64_t)maps_bytes};
	bool ok = out && maps_bytes > 0 && put(out, BA_TRACE_MAGIC, strlen(BA_TRACE_MAGIC)) &&
		  put(out, head, sizeof(head)) &&
		  put(out, f->counts, f->calls * sizeof(*f->counts)) &&
		  put(out, f->addresses, used * sizeof(*f->addresses)) &&
		  put(out, maps, (size_t)maps_bytes);
	if (out && fclose(out))
		ok = false;
	return ok ? 0 : ba_fail_errno(err, BA_EIO, "the trace '%s'", f->path);
}

/* ---- to read ---- */

/* "55d0-55d4 r-xp 00002000 fd:01 1234   /path with spaces" */
static int read_mapping(ba_trace *t, const char *line, ba_error *err)
{
	uint64_t low, high, offset;
	char access[5];
	int path_at = 0;
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %*s %n", &low, &high, access,
		    &offset, &path_at) < 4 ||
		path_at == 0 || high <= low)
		return ba_fail(err, BA_EDATA, "a mapping that makes no sense: %s", line);
	if (!strchr(access, 'x'))
		return 0;
	const char *path = line + path_at;
	bool file = *path == '/' || strcmp(path, "[vdso]") == 0;
	path = file ? path : "";
	ba_trace_object *last = t->object_count ? &t->objects[t->object_count - 1] : NULL;
	if (last && strcmp(last->path, path) == 0 && (file || last->high == low)) {
		last->high = high;
		return 0;
	}
	*BA_APPEND(t->objects, t->object_count) = (ba_trace_object){
		.path = ba_xstrdup(path), .low = low, .high = high, .base = low - offset};
	return 0;
}

static int read_maps(ba_trace *t, char *text, ba_error *err)
{
	char *save = NULL;
	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		BA_TRY(read_mapping(t, line, err));
	return 0;
}

static int check_counts(const ba_trace *t, ba_error *err)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < t->calls; i++) {
		if (t->counts[i] == 0 || t->counts[i] > UINT64_MAX / 4 / CALLS_MOST)
			return ba_fail(
				err, BA_EDATA, "a call of %" PRIu64 " instructions", t->counts[i]);
		sum += t->counts[i];
	}
	if (t->address_count && sum != t->address_count)
		return ba_fail(err, BA_EDATA,
			"calls of %" PRIu64 " instructions, and %zu addresses", sum,
			t->address_count);
	return 0;
}

static bool get(FILE *in, void *data, size_t size)
{
	return fread(data, 1, size, in) == size;
}

static int read_body(ba_trace *t, FILE *in, ba_error *err)
{
	char magic[sizeof(BA_TRACE_MAGIC) - 1];
	uint64_t head[HEAD_NUMBERS];
	if (!get(in, magic, sizeof(magic)) || memcmp(magic, BA_TRACE_MAGIC, sizeof(magic)) != 0)
		return ba_fail(err, BA_EDATA, "not a trace");
	if (!get(in, head, sizeof(head)) || head[0] > CALLS_MOST || head[1] > ADDRESSES_MOST ||
		head[2] > MAPS_MOST)
		return ba_fail(err, BA_EDATA, "a head that makes no sense");
	t->calls = (size_t)head[0];
	t->address_count = (size_t)head[1];
	t->counts = calloc(t->calls + 1, sizeof(*t->counts));
	t->addresses = calloc(t->address_count + 1, sizeof(*t->addresses));
	BA_AUTO_FREE char *maps = calloc((size_t)head[2] + 1, 1);
	if (!t->counts || !t->addresses || !maps)
		return ba_fail_errno(err, BA_EIO, "memory for a trace");
	if (!get(in, t->counts, t->calls * sizeof(*t->counts)) ||
		!get(in, t->addresses, t->address_count * sizeof(*t->addresses)) ||
		!get(in, maps, (size_t)head[2]))
		return ba_fail(err, BA_EDATA, "it ends too early");
	BA_TRY(check_counts(t, err));
	maps[head[2]] = '\0';
	return read_maps(t, maps, err);
}

/* At this path its writer may put a link to another file, or a pipe that never ends. */
static FILE *open_plain(const char *path)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		return fdopen(fd, "r");
	close(fd);
	errno = EINVAL;
	return NULL;
}

int ba_trace_read(ba_trace *out, const char *path, ba_error *err)
{
	ba_trace t = {0};
	FILE *in = open_plain(path);
	if (!in)
		return ba_fail_errno(err, BA_EIO, "the trace '%s'", path);
	int rc = read_body(&t, in, err);
	fclose(in);
	if (rc) {
		ba_trace_dispose(&t);
		ba_fail_context(err, "the trace '%s'", path);
		return rc;
	}
	*out = t;
	return 0;
}

BA_OWNS(ba_trace, t, BA_FREE_EACH(x, t->objects, t->object_count, free(x->path)), free(t->counts),
	free(t->addresses))

const uint64_t *ba_trace_call(const ba_trace *t, size_t call)
{
	size_t at = 0;
	for (size_t i = 0; i < call; i++)
		at += (size_t)t->counts[i];
	return t->address_count ? t->addresses + at : NULL;
}

const ba_trace_object *ba_trace_find(const ba_trace *t, uint64_t address)
{
	size_t at = BA_FIRST(t->object_count, i, t->objects[i].high > address);
	return at < t->object_count && t->objects[at].low <= address ? &t->objects[at] : NULL;
}
