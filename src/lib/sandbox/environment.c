/* Chooses the variables that a program in the sandbox gets. */

#include "sandbox/inside.h"

/* a name that ends with '_' is a prefix */
static const char *const passed[] = {"LANG", "LANGUAGE", "LC_", "TERM", "NO_COLOR", "TZ", "USER",
	"LOGNAME", "SHELL",
	/* compilers and their flags */
	"CC", "CXX", "CPP", "AR", "AS", "LD", "NM", "RANLIB", "STRIP", "OBJCOPY", "CFLAGS",
	"CXXFLAGS", "CPPFLAGS", "LDFLAGS", "LDLIBS", "ASFLAGS", "ARFLAGS", "CPATH",
	"C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "LD_LIBRARY_PATH",
	"PKG_CONFIG_PATH", "CMAKE_", "CCACHE_", "SOURCE_DATE_EPOCH",
	/* CUDA */
	"NVCC", "NVCCFLAGS", "NVCC_", "CUDACXX", "CUDAHOSTCXX", "CUDAARCHS", "CUDAFLAGS", "CUDA_",
	"NVIDIA_", "NCCL_", "CUPY_", "NUMBA_", "TRITON_", "TORCH_", "TORCHINDUCTOR_",
	/* Python, OpenMP */
	"PYTHON", "PYTHONPATH", "PYTHONHOME", "PYTHONPYCACHEPREFIX", "PYTHONDONTWRITEBYTECODE",
	"PYTHONHASHSEED", "PYTHONUNBUFFERED", "VIRTUAL_ENV", "CONDA_PREFIX", "OMP_", "MKL_",
	"OPENBLAS_",
	/* the tool's own */
	"GIT_CEILING_DIRECTORIES", "BENCH_AGAINST_", "LD_AUDIT", "ASAN_OPTIONS", "UBSAN_OPTIONS"};

static const char *const secret_beginnings[] = {"GITHUB_", "GH_", "ACTIONS_", "RUNNER_", "GITLAB_",
	"CI_JOB_", "SSH_", "GPG_", "AWS_", "AZURE_", "GOOGLE_", "GCP_", "GCLOUD_", "DOCKER_",
	"KUBE", "DBUS_", "XDG_RUNTIME_DIR", "SUDO_"};
static const char *const secret_parts[] = {
	"TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL", "COOKIE"};

static bool is_secret(const char *name)
{
	BA_AUTO_FREE char *upper = ba_xstrndup(name, strcspn(name, "="));
	for (char *c = upper; *c; c++)
		if (*c >= 'a' && *c <= 'z')
			*c = (char)(*c - 'a' + 'A');
	return BA_ANY(secret_beginnings, BA_COUNT(secret_beginnings), x,
		       ba_text_starts(upper, *x)) ||
	       BA_ANY(secret_parts, BA_COUNT(secret_parts), x, strstr(upper, *x)) ||
	       ba_text_ends(upper, "_KEY") || ba_text_ends(upper, "_KEY_ID");
}

static bool is_needed(const char *entry, const char *const *more)
{
	if (BA_ANY(passed, BA_COUNT(passed), x,
		    ba_text_ends(*x, "_") ? ba_text_starts(entry, *x)
					  : ba_env_value(entry, *x) != NULL))
		return true;
	for (; more && *more; more++)
		if (ba_env_value(entry, *more))
			return true;
	return false;
}

static void put_path(ba_strv *out, const char *path, const ba_sandbox *box)
{
	BA_AUTO(ba_strv) ba_strv dirs = {0}, seen = {0};
	ba_strv_split(&dirs, path ? path : "/usr/local/bin:/usr/bin:/bin", ':');
	for (size_t i = 0; i < dirs.count; i++)
		if (ba_sandbox_sees(box, dirs.items[i]))
			ba_strv_push(&seen, dirs.items[i]);
	BA_AUTO_FREE char *joined = ba_strv_join(&seen, ":");
	ba_strv_printf(out, "PATH=%s", joined);
}

void ba_sandbox_environment(ba_strv *out, const char *const *env, const ba_sandbox *box)
{
	const char *lsan = ba_env_find(env, "LSAN_OPTIONS");
	BA_AUTO_FREE char *home = ba_sandbox_home(box, ba_env_find(env, "HOME"));
	put_path(out, ba_env_find(env, "PATH"), box);
	ba_strv_printf(out, "HOME=%s", home);
	ba_strv_push(out, "TMPDIR=/tmp");
	ba_strv_printf(out, "LSAN_OPTIONS=%s%sdetect_leaks=0", lsan ? lsan : "", lsan ? ":" : "");
	for (; env && *env; env++) {
		bool ours = ba_env_value(*env, "PATH") || ba_env_value(*env, "HOME") ||
			    ba_env_value(*env, "TMPDIR") || ba_env_value(*env, "LSAN_OPTIONS");
		if (!ours && strchr(*env, '=') && is_needed(*env, box->env) && !is_secret(*env))
			ba_strv_push(out, *env);
	}
}
