#include "judge/session.h"

#include "json/fields.h"

#define SCHEMA "bench-against.judge/1"
#define CEILING ((size_t)64 << 20)

BA_DEFINE_WORDS(static, word_names, BA_BRIEF_CHEATED + 1, ba_brief_words[value],
	"is not a verdict of a candidate");

static const ba_json_field try_rows[] = {
	BA_FIELD(ba_judge_try, digest, DIGEST, .required = true),
	BA_FIELD(ba_judge_try, spec, TEXT, .required = true),
	BA_FIELD_WORD("verdict", ba_judge_try, word, word_names, .required = true),
	BA_FIELD(ba_judge_try, level, F64),
	BA_FIELD(ba_judge_try, answer, TEXT),
};

static const ba_json_field session_rows[] = {
	BA_FIELD_SCHEMA("schema", SCHEMA),
	BA_FIELD(ba_judge_session, directory, TEXT, .required = true),
	BA_FIELD(ba_judge_session, base, TEXT, .required = true),
	BA_FIELD(ba_judge_session, alpha, PART, .required = true),
	BA_FIELD(ba_judge_session, strict, BOOL),
	BA_FIELD(ba_judge_session, tested, U64, .required = true),
	BA_FIELD(ba_judge_session, accepted, U64, .required = true),
	BA_FIELD(ba_judge_session, best, U64, .required = true),
	BA_FIELD_LIST("tries", ba_judge_session, tries, count, BA_FIELDS(try_rows)),
};

BA_OWNS(ba_judge_try, t, BA_FREE(t->spec, t->answer))

BA_OWNS(ba_judge_session, s, BA_FREE_ARRAY(ba_judge_try_dispose, s->tries, s->count),
	BA_FREE(s->directory, s->base))

size_t ba_judge_find(const ba_judge_session *s, const char *digest)
{
	for (size_t i = s->count; i > 0; i--)
		if (strcmp(s->tries[i - 1].digest, digest) == 0)
			return i;
	return 0;
}

int ba_judge_load(ba_judge_session *s, const char *dir, ba_error *err)
{
	BA_AUTO_FREE char *path = ba_path_join(dir, "session.json");
	const ba_json_options options = {.ceiling = CEILING};
	if (!ba_fs_exists(path))
		return 0;
	BA_TRY(ba_fields_load(s, BA_FIELDS(session_rows), path, &options, err));
	s->capacity = s->count;
	if (s->best > s->count || !(s->alpha > 0) || s->accepted > s->tested ||
		(s->best > 0) != (s->accepted > 0))
		return ba_fail(
			err, BA_EDATA, "'%s' contradicts itself: begin another session", path);
	return 0;
}

int ba_judge_save(const ba_judge_session *s, const char *dir, ba_error *err)
{
	BA_AUTO_FREE char *path = ba_path_join(dir, "session.json");
	return ba_fields_save(path, 1, BA_FIELDS(session_rows), s, err);
}
