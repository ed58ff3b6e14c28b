#include "disasm/listing.h"

#define PRINTED_MOST ((size_t)64 << 20)

char *ba_toolkit_find(const char *name)
{
	static const char *const homes[] = {"CUDA_HOME", "CUDA_PATH"};
	char *found = NULL;
	if (ba_proc_find_program(&found, name, getenv("PATH"), NULL, NULL) == 0)
		return found;
	for (size_t i = 0; i < BA_COUNT(homes); i++) {
		const char *home = getenv(homes[i]);
		if (!home || *home != '/')
			continue;
		BA_AUTO_FREE char *path = ba_xprintf("%s/bin/%s", home, name);
		if (ba_proc_find_program(&found, path, NULL, NULL, NULL) == 0)
			return found;
	}
	BA_AUTO_FREE char *usual = ba_xprintf("/usr/local/cuda/bin/%s", name);
	return ba_proc_find_program(&found, usual, NULL, NULL, NULL) == 0 ? found : NULL;
}

int ba_nvdisasm_read(ba_listing *out, const ba_nvdisasm *d, const char *cubin, const char *kernel,
	uint64_t symbol, ba_error *err)
{
	BA_AUTO_FREE char *index = ba_xprintf("%" PRIu64, symbol);
	const char *const argv[] = {d->program, "-c", "-g", "-fun", index, cubin, NULL};
	const ba_proc_spec spec = {.argv = argv,
		.out = {BA_OUTPUT_HEAD, PRINTED_MOST},
		.err = {BA_OUTPUT_TAIL, 4096},
		.limit_ns = d->limit_ns,
		.stop = d->stop};
	BA_AUTO(ba_proc_result) ba_proc_result result = {0};
	int rc = ba_sandbox_run(&result, &spec, d->sandbox, err);
	if (rc == BA_EINTERRUPTED)
		return rc;
	if (rc)
		return ba_fail(err, BA_EUNSUPPORTED, "nvdisasm cannot be started");
	if (!ba_proc_result_ok(&result)) {
		BA_AUTO(ba_buf) ba_buf how = BA_BUF_INIT;
		BA_AUTO_FREE char *said = ba_text_sentence(
			ba_text_last_lines(result.err.data ? result.err.data : "", 1));
		ba_proc_result_text(&how, &result);
		return ba_fail(
			err, BA_EUNSUPPORTED, "nvdisasm %s%s%s", how.data, *said ? ": " : "", said);
	}
	if (!result.out.data || !ba_listing_read(out, result.out.data, result.out.len, kernel))
		return ba_fail(err, BA_EUNSUPPORTED,
			"nvdisasm printed no instructions of kernel '%s'", kernel);
	if (result.out_dropped)
		return ba_fail(err, BA_EUNSUPPORTED,
			"nvdisasm printed more than %zu MiB of kernel '%s'", PRINTED_MOST >> 20,
			kernel);
	return 0;
}
