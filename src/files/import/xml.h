/* The tags of an XML document, one after the other. Strict where it matters: tags must be
 * closed in order, attributes are quoted, and there is no document type, so that nothing
 * of it is expanded or fetched. Text between tags is passed over. Inside the module
 * only. */
#ifndef IMPORT_XML_H
#define IMPORT_XML_H

#include "base/base.h"

typedef struct ba_xml {
	const char *name, *text, *at, *end;
	ba_strv open;	    /* the elements around, and the present one */
	ba_strv attributes; /* of the present tag: name, value, name, value, ... */
	bool closes;	    /* the tag ends its element */
	bool empty;	    /* it began and ends it: "<mean/>" */
} ba_xml;

void ba_xml_dispose(ba_xml *x);
BA_DEFINE_AUTO(ba_xml, ba_xml_dispose)

/* 1: the next tag; its element is the last of `open`, also if it closes it. 0: the
 * document has ended. Negative: an error with "NAME: line N: ". */
int ba_xml_next(ba_xml *x, ba_error *err);
/* the attribute of the present tag, or "" */
const char *ba_xml_attribute(const ba_xml *x, const char *name);
int ba_xml_fail(ba_error *err, const ba_xml *x, const char *sentence);

#endif
