// LittleCMS 2, the field's ICC engine; ColorScience is its only user.
#include <lcms2.h>
