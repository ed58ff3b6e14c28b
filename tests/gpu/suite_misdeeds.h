/*
 * Misdeeds that only a GPU can show, for suites.sh: what run() of suite_proof.c does
 * beside its work where that is compiled with -DMISDEED=...
 */

enum misdeed {
	FAR_AWAY, /* stores where nobody's memory is: the context is lost */
	NEARBY,	  /* stores one number beyond the end of its output */
	TRAP,	  /* a kernel that gives up: the context is lost, too */
	WRONG,	  /* one number of the result */
	LEAK,	  /* memory in every run, until there is none */
	ENDLESS,  /* a kernel that takes a minute */
	CONTEXT,  /* leaves none current */
	TOO_WIDE, /* a launch that no GPU takes */
};

/* more than there are before the first measurement, with --warm-up 20 */
#define GOOD_RUNS 60

static const char misdeed_image[] =
	".version 7.0\n.target sm_70\n.address_size 64\n"
	".visible .entry store(.param .u64 at)\n{\n"
	"	.reg .u64 %at; .reg .f32 %x;\n"
	"	ld.param.u64 %at, [at]; mov.f32 %x, 0f42280000;\n"
	"	st.global.f32 [%at], %x; ret;\n}\n"
	".visible .entry give_up(.param .u64 unused)\n{\n	trap;\n}\n"
	".visible .entry spin(.param .u64 ns)\n{\n"
	"	.reg .u64 %ns, %t0, %t; .reg .pred %p;\n"
	"	ld.param.u64 %ns, [ns]; mov.u64 %t0, %globaltimer;\n"
	"again:	mov.u64 %t, %globaltimer; sub.u64 %t, %t, %t0;\n"
	"	setp.lt.u64 %p, %t, %ns; @%p bra again; ret;\n}\n";

static int launch_one(const char *entry, uint64_t argument, void *stream)
{
	static void *module;
	void *function, *args[] = {&argument};
	int rc = module ? 0 : cu_load(&module, misdeed_image);
	rc = rc ? rc : cu_get(&function, module, entry);
	return rc ? rc : cu_launch(function, 1, 1, 1, 1, 1, 1, 0, stream, args, NULL);
}

/* to the last two megabytes */
static int leak(void)
{
	int (*allocate)(uint64_t * address, size_t bytes);
	uint64_t address;
	*(void **)&allocate = host->driver_symbol("cuMemAlloc");
	for (size_t bytes = (size_t)32 << 30; bytes >= (size_t)2 << 20; bytes /= 2)
		if (allocate(&address, bytes) == 0)
			return 0;
	return 2;
}

static int leave_no_context(void)
{
	int (*set_current)(void *context);
	*(void **)&set_current = host->driver_symbol("cuCtxSetCurrent");
	return set_current(NULL);
}

static int misbehave(ba_suite_case *c, const ba_suite_run *run)
{
	const uint64_t end = c->out[run->set] + c->n * sizeof(float);
	const int is_late = ++c->runs > GOOD_RUNS;
	switch (MISDEED) {
	case FAR_AWAY:
		return is_late ? launch_one("store", UINT64_C(1) << 46, run->stream) : 0;
	case NEARBY:
		return launch_one("store", end, run->stream);
	case TRAP:
		return is_late ? launch_one("give_up", 0, run->stream) : 0;
	case WRONG:
		return launch_one("store", end - sizeof(float), run->stream);
	case LEAK:
		return leak();
	case ENDLESS:
		return is_late ? launch_one("spin", UINT64_C(60000000000), run->stream) : 0;
	case CONTEXT:
		return is_late ? leave_no_context() : 0;
	case TOO_WIDE:
		return cu_launch(c->function, 1, 1, 1, 100000, 1, 1, 0, run->stream, NULL, NULL);
	}
	return 0;
}
