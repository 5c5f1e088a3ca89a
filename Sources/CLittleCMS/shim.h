// LittleCMS 2, the field's ICC engine; ColorScience is its only user.
#pragma once
#include <lcms2.h>

// LittleCMS builds its pixel layouts and flags with macros that take arguments or contain casts, which Swift
// does not import. Each constant below is one of them under a name that Swift imports.

static const cmsUInt32Number CLittleCMSLayoutRGBA8 = TYPE_RGBA_8;
static const cmsUInt32Number CLittleCMSLayoutRGBA16 = TYPE_RGBA_16;
static const cmsUInt32Number CLittleCMSLayoutGray8 = TYPE_GRAY_8;
static const cmsUInt32Number CLittleCMSLayoutGray16 = TYPE_GRAY_16;
static const cmsUInt32Number CLittleCMSLayoutRGBDouble = TYPE_RGB_DBL;
static const cmsUInt32Number CLittleCMSLayoutCMYK8 = TYPE_CMYK_8;
// Adobe's JPEG files store 255 − ink.
static const cmsUInt32Number CLittleCMSLayoutCMYK8Inverted = TYPE_CMYK_8_REV;

// Several threads may use one transform at once (NOCACHE); black point compensation is on, as photographers
// expect of a perceptual conversion.
static const cmsUInt32Number CLittleCMSPhotoFlags =
    cmsFLAGS_NOCACHE | cmsFLAGS_BLACKPOINTCOMPENSATION | cmsFLAGS_HIGHRESPRECALC;
// A device link is evaluated as it is, in floating point.
static const cmsUInt32Number CLittleCMSLinkFlags = cmsFLAGS_NOCACHE | cmsFLAGS_NOOPTIMIZE;
