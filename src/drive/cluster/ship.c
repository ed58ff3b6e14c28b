#include "cluster/slurm_tasks.h"

#define PACK_NS (600 * BA_SECOND)

extern const char ba_ship_near[], ba_ship_far[], ba_ship_unpacker[];
BA_EMBED(ba_ship_near, BA_SHIP_DIR "/ship_near.sh");
BA_EMBED(ba_ship_far, BA_SHIP_DIR "/ship_far.sh");
BA_EMBED(ba_ship_unpacker, BA_SHIP_DIR "/ship_unpack.sh");

int ba_ship_tool(char **out, ba_error *err)
{
	char path[PATH_MAX];
	ssize_t size = readlink("/proc/self/exe", path, sizeof(path) - 1);
	if (size < 0)
		return ba_fail_errno(err, BA_EIO, "/proc/self/exe");
	path[size] = '\0';
	/* the kernel adds this to the name of a removed file */
	if (ba_text_ends(path, " (deleted)"))
		return ba_fail(err, BA_EIO,
			"the program of this run was replaced meanwhile, and tasks would start another one: run it again");
	*out = ba_xstrdup(path);
	return 0;
}

static int do_run(const ba_strv *argv, const char *what, ba_error *err)
{
	BA_AUTO(ba_proc_result) ba_proc_result result = {0};
	ba_proc_spec spec = {.argv = (const char *const *)argv->items,
		.limit_ns = PACK_NS,
		.err = {BA_OUTPUT_JOIN, 0}};
	int rc = ba_proc_run(&result, &spec, err);
	if (rc || ba_proc_result_ok(&result))
		return rc;
	BA_AUTO(ba_buf) ba_buf how = BA_BUF_INIT;
	ba_proc_result_text(&how, &result);
	return ba_fail(
		err, BA_EIO, "%s: '%s' %s: %s", what, argv->items[0], how.data, result.out.data);
}

int ba_ship_pack(const char *tar, const ba_variant *variants, size_t count, const ba_job_request *q,
	const ba_job_services *s, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv argv = {0};
	BA_AUTO_FREE char *tool = NULL;
	BA_TRY(ba_ship_tool(&tool, err));
	BA_AUTO_FREE char *bin = ba_path_dir(tool);
	BA_STRV_PUSH(&argv, "tar", "--create", "--absolute-names", "--file", tar);
	ba_strv_push_take(&argv, ba_path_dir(bin));
	BA_EACH (const ba_variant, v, variants, count) /* a tree of the cache has a manifest */
		ba_strv_push_take(&argv, ba_path_is_below(v->tree_dir, s->cache_root)
						 ? ba_path_dir(v->tree_dir)
						 : ba_xstrdup(v->tree_dir));
	if (q->fake_driver)
		ba_strv_push(&argv, q->fake_driver);
	return do_run(&argv, "packing tool and trees", err);
}

int ba_ship_unpack(const char *tar, const char *job, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv argv = {0};
	BA_AUTO_FREE char *tool = NULL;
	BA_TRY(ba_ship_tool(&tool, err));
	BA_STRV_PUSH(&argv, "sh", "-c",
		"to=/tmp/ba-$2-$$.tar; sbcast --jobid=$2 \"$1\" $to && srun --jobid=$2 --overlap --quiet --ntasks=1 --chdir=/ sh -c \"$3unpack \\\"\\$1\\\" \\\"\\$2\\\"\" sh $to \"$4\"",
		"sh", tar, job, ba_ship_unpacker, tool);
	return do_run(&argv, "shipping tool and trees to a node", err);
}

char *ba_ship_task(int64_t keep_ns)
{
	return ba_xprintf(
		"set -C; mark=/tmp/ba-$SLURM_JOB_ID.mark; rm -f $mark; trap \"rm -f $mark\" EXIT; trap \"exit 0\" TERM; : >$mark; while [ -n \"$(find $mark -newermt '-%lld seconds')\" ]; do sleep 1; done",
		(long long)(keep_ns / BA_SECOND + 1));
}

int ba_ship_relay(
	ba_strv *out, const char *exchange, const char *tar, const char *directory, ba_error *err)
{
	BA_AUTO_FREE char *tool = NULL;
	BA_TRY(ba_ship_tool(&tool, err));
	BA_AUTO_FREE char *far = ba_xprintf("%s%s", ba_ship_unpacker, ba_ship_far);
	BA_STRV_PUSH(out, "sh", "-c", ba_ship_near, "sh", far, exchange, tar, directory, tool);
	return 0;
}
