#include "suite/kinds.h"

const ba_kind_ops *ba_kind_ops_of(ba_suite_kind kind)
{
	static const ba_kind_ops *const kinds[BA_SUITE_KIND_COUNT] = {
		[BA_SUITE_LAUNCHER] = &ba_launcher_ops,
		[BA_SUITE_PLUGIN] = &ba_plugin_ops,
		[BA_SUITE_WORKER] = &ba_program_ops,
		[BA_SUITE_COMMAND] = &ba_command_ops,
	};
	return kinds[kind];
}
