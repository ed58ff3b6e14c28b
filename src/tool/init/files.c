/* The files that `init` writes are part of the program. Their sources are ordinary
 * files in share/bench-against/init. */
#include "init/files.h"

#include "base/embed.h"

#define SHARE BA_SHARE_DIR "/share/bench-against/init"

/* clang-format off */
#define FILES(X)                                                                          \
	X(launcher_lists, "launcher", "@BENCH@/CMakeLists.txt", SHARE "/launcher/CMakeLists.txt") \
	X(launcher, "launcher", "@BENCH@/launcher.c", BA_SHARE_DIR "/examples/launcher/launcher.c") \
	X(python, "python", "@BENCH@/bench.py", SHARE "/python/bench.py")                   \
	X(import, "import", "@BENCH@/bench.py", SHARE "/python/import.py")                  \
	X(counted, "counted", "@BENCH@/bench.py", SHARE "/python/counted.py")                \
	X(program, "program", "@BENCH@/bench.py", SHARE "/program/bench.py")                \
	X(github_measure, "github", ".github/workflows/bench-against.yml",                  \
		SHARE "/github/bench-against.yml")                                          \
	X(github_comment, "github", ".github/workflows/bench-against-comment.yml",          \
		SHARE "/github/bench-against-comment.yml")                                  \
	X(gitlab, "gitlab", ".gitlab/bench-against.yml", SHARE "/gitlab/bench-against.yml") \
	X(hook, "hook", "pre-push", SHARE "/hook/pre-push")

#define DECLARE(symbol, group, path, source) extern const char ba_init_text_##symbol[];
#define EMBED(symbol, group, path, source) BA_EMBED(ba_init_text_##symbol, source);
#define ROW(symbol, group, path, source) {path, group, ba_init_text_##symbol},

FILES(DECLARE)
FILES(EMBED)

const ba_init_file ba_init_files[] = {FILES(ROW) {0}};
/* clang-format on */
