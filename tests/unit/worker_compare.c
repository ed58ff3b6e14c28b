#include "test.h"

#include "worker/plugin.h"

static char *compared(uint32_t type, const void *data, const double *expected, size_t n,
	double relative, double l2)
{
	char *wrong = NULL;
	const ba_suite_output o = {.struct_size = sizeof(o),
		.name = "y",
		.type = type,
		.expected = expected,
		.count = n,
		.relative = relative,
		.l2 = l2};
	int rc = ba_plugin_compare(&wrong, &o, data);
	assert_int_equal(rc != 0, wrong != NULL);
	return wrong;
}

TEST(every_type_is_read)
{
	static const double expected[] = {1, -2.5, 0, 65504};
	static const uint16_t f16[] = {0x3c00, 0xc100, 0x8000, 0x7bff};
	static const uint16_t bf16[] = {0x3f80, 0xc020, 0x0000, 0x4780};
	static const float f32[] = {1, -2.5f, 0, 65504};
	static const double f64[] = {1, -2.5, 0, 65504};
	static const int32_t i32[] = {7, -8};
	static const uint32_t u32[] = {7, 4000000000u};
	assert_null(compared(BA_SUITE_F16, f16, expected, 4, 0, 0));
	assert_null(compared(BA_SUITE_BF16, bf16, expected, 4, 1e-3, 0));
	assert_null(compared(BA_SUITE_F32, f32, expected, 4, 0, 0));
	assert_null(compared(BA_SUITE_F64, f64, expected, 4, 0, 0));
	assert_null(compared(BA_SUITE_I32, i32, (const double[]){7, -8}, 2, 0, 0));
	assert_null(compared(BA_SUITE_U32, u32, (const double[]){7, 4e9}, 2, 0, 0));
	assert_int_equal(ba_plugin_type_bytes(BA_SUITE_U32 + 1), 0);
}

TEST(halves_below_the_normal_ones_are_read)
{
	static const uint16_t tiny[] = {0x0001, 0x03ff, 0x0400};
	static const double expected[] = {0x1p-24, 0x1.ff8p-15, 0x1p-14};
	assert_null(compared(BA_SUITE_F16, tiny, expected, 3, 0, 0));
}

TEST(poison_is_wrong_whatever_the_tolerance)
{
	static const uint32_t types[] = {BA_SUITE_F16, BA_SUITE_BF16, BA_SUITE_F32, BA_SUITE_F64};
	unsigned char poison[8];
	memset(poison, 0xff, sizeof(poison));
	for (size_t i = 0; i < 4; i++) {
		char *wrong = compared(types[i], poison, (const double[]){1}, 1, 1e9, 0);
		assert_non_null(wrong);
		assert_non_null(strstr(wrong, "1 of 1 elements of y"));
		free(wrong);
	}
}

TEST(an_infinity_is_wrong_where_a_number_belongs)
{
	static const uint16_t inf[] = {0x7c00};
	char *wrong = compared(BA_SUITE_F16, inf, (const double[]){65504}, 1, 0.1, 0);
	assert_non_null(wrong);
	free(wrong);
}

TEST(the_first_that_is_off_is_told)
{
	static const float f32[] = {1, 2, 3.1f, 4.2f};
	char *wrong = compared(BA_SUITE_F32, f32, (const double[]){1, 2, 3, 4}, 4, 1e-3, 0);
	assert_non_null(strstr(wrong, "2 of 4 elements of y"));
	assert_non_null(strstr(wrong, "element 2 is 3.0999"));
	free(wrong);
}

TEST(small_errors_that_add_up_are_wrong_in_the_mean)
{
	static const float f32[] = {1.01f, 1.01f, 1.01f};
	static const double ones[] = {1, 1, 1};
	assert_null(compared(BA_SUITE_F32, f32, ones, 3, 0.02, 0.011));
	char *wrong = compared(BA_SUITE_F32, f32, ones, 3, 0.02, 0.005);
	assert_non_null(strstr(wrong, "0.005 is allowed"));
	free(wrong);
}
