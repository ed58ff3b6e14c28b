/* Today's headers beside the first ones: every field is where it was. */
#include "test.h"

#include "layout.h"

static void no_field_of_the_first_version_has_moved(void **state)
{
	(void)state;
	assert_int_equal(layout_today_count, layout_first_count);
	for (size_t i = 0; i < layout_first_count; i++) {
		const abi_field *was = &layout_first[i], *is = &layout_today[i];
		assert_string_equal(is->name, was->name);
		if (is->offset != was->offset || is->size != was->size)
			fail_msg("%s was at %zu (%zu bytes), is at %zu (%zu bytes)",
				was->name, was->offset, was->size, is->offset,
				is->size);
	}
}

static void the_numbers_are_those_of_the_first_version(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(layout_today_abi[i], layout_first_abi[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_field_of_the_first_version_has_moved),
		cmocka_unit_test(the_numbers_are_those_of_the_first_version),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
