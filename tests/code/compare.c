/* compare BASE MINE: a line for each kernel of two files, "VERDICT<TAB>TARGET<TAB>NAME<TAB>WHY".
 * compare FILE: a line of metrics for each kernel. compare --time N BASE MINE: as often. */
#include <stdio.h>
#include <time.h>

#include "cubin/kernels.h"

#define FILE_MOST ((size_t)2 << 30)

static const char *const words[] = {"same", "data", "limits", "changed", "open"};

static void read_file(ba_kernel_codes *out, const char *path)
{
	ba_error err;
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	int rc = ba_fs_read(&text, path, FILE_MOST, &err);
	rc = rc ? rc : ba_kernels_find(out, NULL, text.data, text.len, &err);
	if (rc == BA_EINVAL)
		ba_fail_context(&err, "'%s'", path);
	if (rc) {
		printf("error\t\t\t%s\n", err.text);
		exit(2);
	}
}

static bool is_pair(const ba_kernel_code *a, const ba_kernel_code *b)
{
	return a->is_ptx == b->is_ptx && strcmp(a->target, b->target) == 0 &&
	       strcmp(a->name, b->name) == 0;
}

/* First by name, then by equal code, each only once. */
static void compare(const ba_kernel_codes *base, const ba_kernel_codes *mine)
{
	BA_AUTO_FREE bool *taken = ba_xcalloc(mine->count + 1, sizeof(*taken));
	for (size_t i = 0; i < base->count; i++) {
		const ba_kernel_code *a = &base->items[i];
		const char *why = "", *word = "removed";
		for (size_t by_code = 0; by_code < 2 && strcmp(word, "removed") == 0; by_code++)
			for (size_t k = 0; k < mine->count; k++) {
				const ba_kernel_code *b = &mine->items[k];
				bool pair =
					by_code ? strcmp(a->whole, b->whole) == 0 : is_pair(a, b);
				if (taken[k] || !pair)
					continue;
				word = by_code ? "renamed" : words[ba_kernel_compare(a, b, &why)];
				taken[k] = true;
				break;
			}
		printf("%s\t%s%s\t%s\t%s\n", word, a->target, a->is_ptx ? " ptx" : "", a->name,
			why ? why : "");
	}
	for (size_t k = 0; k < mine->count; k++)
		if (!taken[k])
			printf("added\t%s\t%s\t\n", mine->items[k].target, mine->items[k].name);
}

static void list(const ba_kernel_codes *codes)
{
	for (size_t i = 0; i < codes->count; i++) {
		const ba_kernel_code *k = &codes->items[i];
		const ba_kernel_metrics *m = &k->metrics;
		printf("%s\t%s\t%s\tREG:%u STACK:%u SHARED:%u loads:%u/%u stores:%u/%u code:%u/%u\t%s\n",
			k->target,
			k->is_ptx      ? "ptx"
			: k->is_linked ? "cubin"
				       : "object",
			k->mangled, m->registers, m->frame_bytes, m->shared_bytes, m->local_loads,
			m->local_load_bytes, m->local_stores, m->local_store_bytes, m->code_bytes,
			m->instructions, k->open ? k->open : "");
	}
}

int main(int count, char **args)
{
	BA_AUTO(ba_kernel_codes) ba_kernel_codes base = {0};
	BA_AUTO(ba_kernel_codes) ba_kernel_codes mine = {0};
	if (count == 4 && strcmp(args[1], "--time") == 0) {
		read_file(&base, args[2]);
		read_file(&mine, args[3]);
		printf("%zu %zu kernels, %.3f s of processor time\n", base.count, mine.count,
			(double)clock() / CLOCKS_PER_SEC);
		return 0;
	}
	if (count < 2 || count > 3)
		return 2;
	read_file(&base, args[1]);
	if (count == 2) {
		list(&base);
		return 0;
	}
	read_file(&mine, args[2]);
	compare(&base, &mine);
	return 0;
}
