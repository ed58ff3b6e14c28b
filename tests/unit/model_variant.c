/* What a variant is called: on the command line, and where nobody has said it. */
#include "test.h"

#include "model/variant.h"

TEST(a_label_stands_before_the_equals_sign)
{
	static const struct {
		const char *text, *label, *spec;
	} rows[] = {
		{"HEAD~", "", "HEAD~"},
		{"old=v1.2", "old", "v1.2"},
		{"größe=main", "größe", "main"},
		{"速い=main", "速い", "main"},
		{"x=path:/a=b", "x", "path:/a=b"},
		{"old=HEAD+env:torch==2.9.0+cu128", "old", "HEAD+env:torch==2.9.0+cu128"},
		{"HEAD+env:torch==2.9.0", "", "HEAD+env:torch==2.9.0"},
		{":/fix a=b", "", ":/fix a=b"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		BA_AUTO(ba_variant) ba_variant v = {0};
		ba_error err = {0};
		if (ba_variant_parse(&v, rows[i].text, &err))
			fail_msg("%s", err.text);
		assert_string_equal(v.label, rows[i].label);
		assert_string_equal(v.spec, rows[i].spec);
	}
}

TEST(a_label_that_is_none_is_refused)
{
	static const struct {
		const char *text, *sentence;
	} rows[] = {
		{"=HEAD", "the label before '=' is empty"},
		{"a b=HEAD", "a label may hold letters"},
		{"a\x1b[1m=HEAD", "a label may hold letters"},
		{"\xff=HEAD", "a label may hold letters"},
		{"a\xe2\x80\xae=HEAD", "a label may hold letters"}, /* U+202E */
		{"a\xe2\x80\x8b=HEAD", "a label may hold letters"}, /* U+200B */
		{"a\xc2\xa0=HEAD", "a label may hold letters"},	    /* U+00A0 */
		{"-a=HEAD", "a label begins with"},
		{"a=", "names no variant"},
		{"HEAD+env:", "after 'env:' comes a package"},
		{"HEAD+env:--index-url=x", "after 'env:' comes a package"},
		{"HEAD+env:a\nb", "control character"},
		{"env:torch==2.9.0", "write the commit before the environment: HEAD+env:torch"},
		{"HEAD+var:3=4", "write a variable as var:NAME=VALUE"},
		{"HEAD+var:A", "write a variable as var:NAME=VALUE"},
		{"HEAD+var:BENCH_AGAINST_CACHE=x", "bench-against's own"},
		{"HEAD+var:A=1+env:x+var:A=2", "sets a variable twice"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		ba_variant v = {0};
		ba_error err = {0};
		assert_int_equal(ba_variant_parse(&v, rows[i].text, &err), BA_EINVAL);
		assert_has(err.text, rows[i].sentence);
	}
}

TEST(an_environment_follows_the_tree)
{
	BA_AUTO(ba_variant) ba_variant v = {0};
	BA_AUTO(ba_strv) ba_strv env = {0};
	static const char *const ours[] = {
		"PATH=/bin", "A=1", "VIRTUAL_ENV=/old", "PYTHONHOME=/old", "AB=2", NULL};
	assert_int_equal(ba_variant_parse(&v, "x=path:d+env:a==1+2+var:A=x+y+env:b", NULL), 0);
	assert_int_equal(v.kind, BA_VARIANT_PATH);
	assert_int_equal(v.environment.parts.count, 3);
	assert_string_equal(v.environment.parts.items[0], "env:a==1+2");
	assert_string_equal(v.environment.parts.items[1], "var:A=x+y");
	BA_AUTO_FREE char *tree = ba_variant_tree_spec(&v);
	BA_AUTO_FREE char *name = ba_variant_environment_name(&v);
	assert_string_equal(tree, "path:d");
	assert_string_equal(name, "a==1+2+A=x+y+b");
	v.environment.dir = ba_xstrdup("/e");
	ba_variant_environment_put(&env, &v.environment, ours, true);
	BA_AUTO_FREE char *all = ba_strv_join(&env, " ");
	assert_string_equal(all, "PATH=/e/bin:/bin AB=2 VIRTUAL_ENV=/e A=x+y");
}

TEST(what_has_no_label_is_called_as_it_is_written)
{
	static const struct {
		const char *spec, *label;
	} rows[] = {
		{"HEAD~2", "HEAD~2"},
		{"HEAD+env:torch==2.9.0", "HEAD+torch-2.9.0"},
		{"feature/größe", "feature-größe"},
		{"исправление", "исправление"},
		{"修正/速度", "修正-速度"},
		{"e\xcc\x81tage", "e\xcc\x81tage"}, /* of two characters, as of one */
		{"path:/home/jörg/été/", "été"},
		{"a\xe2\x80\xae"
		 "b",
			"a---b"},     /* reorders */
		{"a\xff\xfe", "a--"}, /* no UTF-8 */
		{"a\xe2\x82", "a--"}, /* cut */
		{"<b>&\"'`|;$", "_b--------"},
		{"--x", "_-x"},
		/* 32 columns */
		{"aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd", "aaaaaaaaaabbbbbbbbbbccccccccccdd"},
		{"長長長長長長長長長長長長長長長長長長長長", "長長長長長長長長長長長長長長長長"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		BA_AUTO(ba_variant) ba_variant v = {0};
		ba_error err = {0};
		assert_int_equal(ba_variant_parse(&v, rows[i].spec, &err), 0);
		assert_int_equal(ba_variants_label(&v, 1, &err), 0);
		assert_string_equal(v.label, rows[i].label);
	}
}

TEST(no_two_have_one_label)
{
	ba_variant v[3] = {0};
	ba_error err = {0};
	assert_int_equal(ba_variant_parse(&v[0], "é", &err), 0);
	assert_int_equal(ba_variant_parse(&v[1], "é", &err), 0);
	assert_int_equal(ba_variant_parse(&v[2], "é.2=HEAD", &err), 0);
	assert_int_equal(ba_variants_label(v, 3, &err), 0);
	assert_string_equal(v[0].label, "é");
	assert_string_equal(v[1].label, "é.3");
	ba_variant twins[2] = {0};
	assert_int_equal(ba_variant_parse(&twins[0], "é=a", &err), 0);
	assert_int_equal(ba_variant_parse(&twins[1], "é=b", &err), 0);
	assert_int_equal(ba_variants_label(twins, 2, &err), BA_EINVAL);
	assert_has(err.text, "two variants have the label 'é'");
	for (size_t i = 0; i < 3; i++)
		ba_variant_dispose(&v[i]);
	for (size_t i = 0; i < 2; i++)
		ba_variant_dispose(&twins[i]);
}
