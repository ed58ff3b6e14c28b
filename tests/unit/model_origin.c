/* Origins and their places. */
#include "test.h"

#include "base/mem.h"
#include "model/environment.h"
#include "model/result.h"

static void add(ba_result *r, const char *name, const char *host, const char *uuid, int device)
{
	ba_origin o;
	BA_AUTO(ba_environment)
	ba_environment env = {.host_name = ba_xstrdup(host),
		.device_uuid = ba_xstrdup(uuid),
		.device_ordinal = device};
	ba_origin_init(&o, name, &env, 1);
	ba_measured_add_origin(&r->run, &o);
}

static void assert_place(const ba_result *r, size_t origin, unsigned place, const char *name)
{
	assert_int_equal(r->run.origins[origin].place, place);
	BA_AUTO_FREE char *said = ba_origins_place_name(r->run.origins, r->run.origin_count, place);
	assert_string_equal(said, name);
}

TEST(a_place_is_a_gpu)
{
	BA_AUTO(ba_result) ba_result r = {0};
	add(&r, "a", "node1", "GPU-1", 0);
	add(&r, "b", "node1", "GPU-2", 1);
	add(&r, "c", "node1", "GPU-1", 0); /* again, after it was requeued */
	assert_int_equal(ba_origins_places(r.run.origins, r.run.origin_count), 2);
	assert_place(&r, 0, 0, "GPU 0");
	assert_place(&r, 1, 1, "GPU 1");
	assert_place(&r, 2, 0, "GPU 0");
	add(&r, "d", "node2", "GPU-3", 0);
	assert_place(&r, 1, 1, "node1 GPU 1");
	assert_place(&r, 3, 2, "node2 GPU 0");
}

TEST(without_gpus_a_place_is_a_host)
{
	BA_AUTO(ba_result) ba_result r = {0};
	assert_int_equal(ba_origins_places(r.run.origins, r.run.origin_count), 0);
	add(&r, "a", "node1", "", 0);
	add(&r, "b", "node1", "", 0);
	add(&r, "c", "node2", "", 0);
	add(&r, "d", "node2", "GPU-1", 0); /* never beside one without a GPU */
	assert_place(&r, 1, 0, "node1");
	assert_place(&r, 2, 1, "node2");
	assert_place(&r, 3, 2, "node2 GPU 0");
}

/* Their driver has one UUID. */
TEST(on_the_host_target_a_place_is_a_host)
{
	static const char *const hosts[] = {"runner1", "runner2", "runner1"};
	BA_AUTO(ba_result) ba_result r = {0};
	for (size_t i = 0; i < 3; i++) {
		ba_origin o;
		BA_AUTO(ba_environment)
		ba_environment env = {.target = ba_xstrdup("host"),
			.host_name = ba_xstrdup(hosts[i]),
			.device_uuid = ba_xstrdup("GPU-484f5354-2d48-4f53-542d-484f53542d21")};
		ba_origin_init(&o, hosts[i], &env, 1);
		ba_measured_add_origin(&r.run, &o);
	}
	assert_place(&r, 0, 0, "runner1");
	assert_place(&r, 1, 1, "runner2");
	assert_place(&r, 2, 0, "runner1");
}
