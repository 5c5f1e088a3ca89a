#!/usr/bin/env python3
"""Writes the tables of Tests/Fuzz and what OpenColorIO makes of them.

    python3 generate.py FUZZ-FOLDER

Needs numpy, Pillow with LittleCMS, opencolorio 2.6. Colours outside 0…1 and at nodes are among the inputs.
"""
import os, struct, sys
import numpy as np
import PyOpenColorIO as ocio

fuzz = sys.argv[1]
here = os.path.dirname(os.path.abspath(__file__))
rng = np.random.default_rng(22)


def write(folder, name, data):
    os.makedirs(f"{fuzz}/{folder}", exist_ok=True)
    with open(f"{fuzz}/{folder}/{name}", "wb") as f:
        f.write(data if isinstance(data, bytes) else data.encode())


def lattice(n, noise=0.08):
    """Colours of an n³ lattice, red fastest: a smooth look and a little noise."""
    a = np.linspace(0, 1, n)
    b, g, r = np.meshgrid(a, a, a, indexing="ij")
    c = np.stack([r, g, b], -1).reshape(-1, 3)
    look = np.clip(c @ np.array([[0.9, 0.05, 0.0], [0.1, 0.85, 0.1], [0.0, 0.1, 0.9]]) ** 1.0, 0, 1) ** 0.9
    return look + rng.uniform(-noise, noise, c.shape)


def blue_fastest(nodes, n):
    return nodes.reshape(n, n, n, 3).transpose(2, 1, 0, 3).reshape(-1, 3)


# .3dl
def three_dl(n, bits, head, shaper):
    scale = 2**bits - 1
    codes = np.clip(np.rint(blue_fastest(lattice(n), n) * scale), 0, scale).astype(int)
    codes[-1] = scale
    return head + (" ".join(map(str, shaper)) + "\n" if shaper else "") + "\n".join("%d %d %d" % tuple(c) for c in codes) + "\n"

write("3dl", "flame.3dl", three_dl(5, 12, "#Tokens\n", [0, 256, 512, 768, 1023]))
write("3dl", "lustre.3dl", three_dl(5, 12, "3DMESH\nMesh 2 12\n", [0, 256, 512, 768, 1023]) + "\n# made by hand\nLUT8\ngamma 1.0\n")
write("3dl", "shaper-curve.3dl", three_dl(4, 10, "", [0, 480, 800, 1023]))
write("3dl", "ten-bits.3dl", three_dl(3, 10, "# 10 bits\r\n", []).replace("\n", "\r\n"))
write("3dl", "sixteen-bits.3dl", three_dl(3, 16, "", [0, 32768, 65535, ][:0] ))
write("3dl", "bad-truncated.3dl", three_dl(3, 10, "", [])[:-30])
write("3dl", "bad-floats.3dl", "0 0 0\n0.5 0.5 1.0\n")
write("3dl", "bad-two-shapers.3dl", "0 300 700 1023\n0 300 700 1023\n0 0 0\n")
write("3dl", "bad-row-of-two.3dl", "0 0 0\n12 13\n")
write("3dl", "bad-small-values.3dl", "\n".join("%d %d %d" % (r, g, b) for r in (0, 1) for g in (0, 1) for b in (0, 1)))
write("3dl", "bad-gamma.3dl", three_dl(2, 10, "gamma 2.2\n", []))
write("3dl", "bad-empty.3dl", "# nothing\n")
write("3dl", "bad-keyword.3dl", "LATTICE 3\n" + three_dl(2, 10, "", []))


# .csp
def rows(c):
    return "\n".join("%.6f %.6f %.6f" % tuple(v) for v in c) + "\n"

straight = "2\n0 1\n0 1\n" * 3
write("csp", "plain-3d.csp", "CSPLUTV100\n3D\n\n" + straight + "\n4 4 4\n" + rows(lattice(4)))
write("csp", "metadata.csp", "CSPLUTV100\n3D\n\nBEGIN METADATA\nWarm # 5\nmade by hand\nEND METADATA\n\n" + "2\n0 4\n0 1\n" * 3 + "\n3 3 3\n" + rows(lattice(3)))
curve = "5\n0 0.1 0.3 1 8\n0 0.25 0.5 0.8 1\n"
write("csp", "curves.csp", "CSPLUTV100\r\n3D\r\n\r\n" + (curve * 2 + "3\n0 0.2 2\n0 0.5 1\n").replace("\n", "\r\n") + "\r\n3 3 3\r\n" + rows(lattice(3)).replace("\n", "\r\n"))
write("csp", "curves-1d.csp", "CSPLUTV100\n1D\n\nBEGIN METADATA\nEND METADATA\n" + "2\n-0.125 2\n0 1\n" * 3 + "\n9\n" + rows(np.linspace(0, 1, 9)[:, None] ** np.array([0.6, 0.8, 1.2])))
write("csp", "no-points.csp", "CSPLUTV100\n3D\n\n0\n0\n0\n\n2 2 2\n" + rows(lattice(2)))
write("csp", "bad-signature.csp", "CSPLUTV200\n3D\n")
write("csp", "bad-kind.csp", "CSPLUTV100\n4D\n")
write("csp", "bad-metadata.csp", "CSPLUTV100\n3D\nBEGIN METADATA\nand no end\n")
write("csp", "bad-falling.csp", "CSPLUTV100\n3D\n3\n0 2 1\n0 0.5 1\n" + "0\n0\n2 2 2\n" + rows(lattice(2)))
write("csp", "bad-uneven.csp", "CSPLUTV100\n3D\n0\n0\n0\n2 2 3\n" + rows(lattice(2)))
write("csp", "bad-huge.csp", "CSPLUTV100\n3D\n0\n0\n0\n256 256 256\n0 0 0\n")
write("csp", "bad-truncated.csp", "CSPLUTV100\n3D\n0\n0\n0\n3 3 3\n" + rows(lattice(3)[:20]))
write("csp", "bad-nan.csp", "CSPLUTV100\n1D\n0\n0\n0\n2\n0 0 0\nnan 1 1\n")
write("csp", "bad-points.csp", "CSPLUTV100\n1D\n3\n0 1\n0 1\n")


# .look
def look(n, digits=None, size=None, mask=""):
    data = b"".join(struct.pack("<3f", *v) for v in lattice(n)).hex().upper() if digits is None else digits
    lines = "\n      ".join(data[i:i + 64] for i in range(0, len(data), 64))
    return f'<?xml version="1.0" ?>\n<look>\n  <shaders>\n    <base>\n      <rendermode>"7"</rendermode>\n    </base>\n  </shaders>\n  {mask}<LUT>\n    <size>"{size or n}"</size>\n    <data>"\n      {lines}"\n    </data>\n  </LUT>\n</look>\n'

write("look", "four.look", look(4))
write("look", "small.look", look(2).replace('"2"', "'2'"))
write("look", "bad-no-lut.look", "<look><shaders/></look>")
write("look", "bad-mask.look", look(2, mask='<mask><name>"m"</name></mask>'))
write("look", "bad-size.look", look(2, size="two"))
write("look", "bad-digits.look", look(2, digits="0000003G" * 24))
write("look", "bad-nan.look", look(2, digits="0000C07F" * 24))
write("look", "bad-short.look", look(2, digits="0000803F" * 23))
write("look", "bad-xml.look", "<look><LUT></look>")


# .clf
NS = 'xmlns="http://www.smpte-ra.org/ns/2136-1/2024"'
def clf(*nodes, head=f'compCLFversion="3.0" id="t" {NS}'):
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<ProcessList {head}>\n' + "\n".join(nodes) + "\n</ProcessList>\n"

def node(kind, body, i="32f", o="32f", **attributes):
    more = "".join(f' {k}="{v}"' for k, v in attributes.items())
    return f'<{kind} inBitDepth="{i}" outBitDepth="{o}"{more}>{body}</{kind}>'

def array(dim, values):
    return f'<Array dim="{dim}">\n' + "\n".join(" ".join("%.7g" % x for x in np.atleast_1d(v)) for v in values) + "\n</Array>"

def lut3d(n, scale=1.0, **k):
    return node("LUT3D", array(f"{n} {n} {n} 3", blue_fastest(lattice(n), n) * scale), **k)

matrix = "<Array dim=\"3 3\">0.7 0.2 0.1\n0.05 0.9 0.05\n-0.05 0.1 0.95</Array>"
affine = "<Array dim=\"3 4\">3.6 0.1 -0.2 30\n0.2 3.5 0.1 -50\n0.1 -0.3 3.4 4e1</Array>"
exponent = lambda e, o=None, c=None: "<ExponentParams" + (f' channel="{c}"' if c else "") + f' exponent="{e}"' + (f' offset="{o}"' if o is not None else "") + "/>"
sop = lambda s, o, p, t: f"<SOPNode><Slope>{s}</Slope><Offset>{o}</Offset><Power>{p}</Power></SOPNode><SatNode><Saturation>{t}</Saturation></SatNode>"
grade = sop("1.1 1 0.8", "-0.02 0 0.15", "1.05 1.15 1.4", 0.75)
acescct = '<LogParams logSideSlope="0.05707762557" logSideOffset="0.5547945205" linSideBreak="0.0078125"/>'
cineon = '<LogParams base="10" logSideSlope="0.29325513196" logSideOffset="0.66959921799" linSideSlope="0.98920224838" linSideOffset="0.01079775162"/>'
rng_ = lambda a, b, c, d: f"<minInValue>{a}</minInValue><maxInValue>{b}</maxInValue><minOutValue>{c}</minOutValue><maxOutValue>{d}</maxOutValue>"
curve3 = np.linspace(0, 1, 17)[:, None] ** np.array([0.7, 1.0, 1.4]) * 1.1 - 0.05

write("clf", "lut3d.clf", clf("<Description>three</Description>", lut3d(3, 4095, o="12i", i="10i", interpolation="tetrahedral")))
write("clf", "trilinear.clf", clf(lut3d(4, interpolation="trilinear")))
write("clf", "lut1d.clf", clf(node("LUT1D", array("17 3", curve3 * 1023), o="10i")))
write("clf", "lut1d-one-channel.clf", clf(node("LUT1D", array("9 1", np.linspace(1.2, -0.1, 9) ** 3), interpolation="linear")))
write("clf", "matrix.clf", clf(node("Matrix", matrix), node("Matrix", affine, i="32f", o="10i")).replace("\n", "\r\n"))
write("clf", "range.clf", clf(node("Range", rng_(16320, 32640, 8000, 40000), i="16i", o="16i"), node("Range", rng_(0, 1, -0.1, 1.2), i="16i", o="32f", style="noClamp").replace(">0<", ">0<").replace(">1<", ">65535<", 1), node("Range", "<minInValue>0.15</minInValue><minOutValue>0.15</minOutValue>")))
write("clf", "exponents.clf", clf(*[node("Exponent", exponent(2.4), style=s) for s in ("basicFwd", "basicRev", "basicMirrorFwd", "basicMirrorRev", "basicPassThruFwd", "basicPassThruRev")], *[node("Exponent", exponent(2.2, 0.099), style=s) for s in ("monCurveFwd", "monCurveMirrorRev")], node("Exponent", exponent(2.4, 0.055, "R") + exponent(3, 0.16, "B"), style="monCurveRev"), node("Exponent", exponent(3, 0.16), style="monCurveMirrorFwd")))
write("clf", "logs.clf", clf(node("Log", "", style="antiLog2"), node("Log", "", style="log2"), node("Log", cineon, style="linToLog"), node("Log", "", style="antiLog10"), node("Log", "", style="log10"), node("Log", cineon, style="logToLin"), node("Log", acescct, style="cameraLinToLog"), node("Log", acescct.replace("/>", ' linearSlope="10.5"/>'), style="cameraLogToLin")))
for style in ("Fwd", "Rev", "FwdNoClamp", "RevNoClamp"):
    write("clf", f"cdl-{style}.clf", clf(node("ASC_CDL", grade, style=style)))
write("clf", "cdl-default.clf", clf(node("ASC_CDL", "<SatNode><Saturation>1.3</Saturation></SatNode>")))
write("clf", "chain.clf", clf("<InputDescriptor>linear</InputDescriptor>", node("Matrix", matrix), node("Log", acescct, style="cameraLinToLog"), node("ASC_CDL", sop("1 1 0.9", "-0.02 -0.03 0", "1 1 1", 1.2), style="Fwd"), lut3d(5, 1023, o="10i", interpolation="tetrahedral"), node("LUT1D", array("17 3", curve3), i="10i")))
write("clf", "shaper-lut3d.clf", clf(node("LUT1D", array("17 3", curve3)), lut3d(3, interpolation="tetrahedral")))
bad = {
    "no-process": clf("<Description>none</Description>"),
    "no-version": clf(node("Matrix", matrix), head='id="t"'),
    "version": clf(node("Matrix", matrix), head='id="t" compCLFversion="4.0"'),
    "depths": clf(node("Matrix", matrix, o="10i"), node("Matrix", matrix, i="12i")),
    "depth": clf(node("Matrix", matrix, o="11i")),
    "no-depth": clf(node("Matrix", matrix).replace(' inBitDepth="32f"', "")),
    "process": clf(node("Gamma", "")),
    "truncated-array": clf(node("LUT1D", array("17 3", curve3[:16]))),
    "long-array": clf(node("LUT1D", array("16 3", curve3))),
    "word": clf(node("LUT1D", '<Array dim="2 1">0 white</Array>')),
    "nan": clf(node("LUT1D", '<Array dim="2 1">0 nan</Array>')),
    "dim": clf(node("LUT1D", '<Array dim="2 x">0 1</Array>')),
    "uneven": clf(node("LUT3D", '<Array dim="2 2 3 3">0</Array>')),
    "huge": clf(node("LUT3D", '<Array dim="9999 9999 9999 3">0</Array>')),
    "matrix": clf(node("Matrix", '<Array dim="3 3">1 0 0 0 1 0 0 0</Array>')),
    "range-ends": clf(node("Range", "<minInValue>0</minInValue><maxInValue>1</maxInValue><minOutValue>0</minOutValue>")),
    "range-order": clf(node("Range", rng_(1, 0, 0, 1))),
    "range-empty": clf(node("Range", "")),
    "range-noclamp": clf(node("Range", "<minInValue>0</minInValue><minOutValue>0</minOutValue>", style="noClamp")),
    "exponent-style": clf(node("Exponent", exponent(2), style="gamma")),
    "exponent-value": clf(node("Exponent", exponent(0), style="basicFwd")),
    "exponent-offset": clf(node("Exponent", exponent(2), style="monCurveFwd")),
    "log-style": clf(node("Log", "", style="ln")),
    "log-break": clf(node("Log", cineon, style="cameraLinToLog")),
    "log-base": clf(node("Log", '<LogParams base="1"/>', style="linToLog")),
    "log-channel": clf(node("Log", '<LogParams channel="R" base="2"/>', style="linToLog")),
    "cdl-slope": clf(node("ASC_CDL", sop("-1 1 1", "0 0 0", "1 1 1", 1))),
    "cdl-power": clf(node("ASC_CDL", sop("1 1 1", "0 0 0", "0 1 1", 1))),
    "cdl-style": clf(node("ASC_CDL", grade, style="Forward")),
    "cdl-numbers": clf(node("ASC_CDL", sop("1 1", "0 0 0", "1 1 1", 1))),
    "half-false": clf(node("LUT1D", array("17 3", curve3), halfDomain="false")),
    "half-size": clf(node("LUT1D", array("17 3", curve3), halfDomain="true")),
    "hue": clf(node("LUT1D", array("17 3", curve3), hueAdjust="dw3")),
    "index-map": clf(node("LUT1D", '<IndexMap dim="2">0@0 1@1</IndexMap><Array dim="2 1">0 1</Array>')),
    "cut": clf(node("Matrix", matrix))[:-20],
    "doctype": "<!DOCTYPE a>" + clf(node("Matrix", matrix))[39:],
    "html": "<html><body>Not found</body></html>",
}
for name, text in bad.items():
    write("clf", f"bad-{name}.clf", text)

# Lists of the ASC
cc = lambda id, *v: f'<ColorCorrection id="{id}">' + sop(*v) + "</ColorCorrection>"
URN = 'xmlns="urn:ASC:CDL:v1.01"'
one = cc("cc0001", "1 1 0.9", "-.03 -2e-2 0", "1.25 1 1e0", 1.7)
write("cdl", "one.cc", '<?xml version="1.0"?>\n' + one.replace("<ColorCorrection ", f"<ColorCorrection {URN} "))
write("cdl", "two.ccc", f"<ColorCorrectionCollection {URN}><Description>two</Description>" + one + cc("cc0002", "0.9 0.7 0.6", "0.1 0.1 0.1", "0.9 0.9 0.9", 0.7) + "</ColorCorrectionCollection>")
write("cdl", "list.cdl", f'<ColorDecisionList {URN}><ColorDecision><MediaRef ref="a.dpx"/>' + one + "</ColorDecision></ColorDecisionList>")
write("cdl", "old-names.cc", one.replace("SOPNode", "ASC_SOP").replace("SatNode", "ASC_SAT"))
write("cdl", "saturation.cc", '<ColorCorrection id="s"><SatNode><Saturation>0</Saturation></SatNode></ColorCorrection>')
write("cdl", "bad-none.ccc", f"<ColorCorrectionCollection {URN}/>")
write("cdl", "bad-slope.cc", cc("x", "-1 1 1", "0 0 0", "1 1 1", 1))
write("cdl", "bad-power.cc", cc("x", "1 1 1", "0 0 0", "0 1 1", 1))
write("cdl", "bad-missing.cc", '<ColorCorrection id="x"><SOPNode><Slope>1 1 1</Slope></SOPNode></ColorCorrection>')
write("cdl", "bad-saturation.cc", cc("x", "1 1 1", "0 0 0", "1 1 1", -1))
write("cdl", "bad-numbers.cc", cc("x", "1 1 0x10", "0 0 0", "1 1 1", 1))
write("cdl", "bad-twice.cc", '<ColorCorrection><SatNode><Saturation>1</Saturation></SatNode><SatNode><Saturation>1</Saturation></SatNode></ColorCorrection>')


# What OpenColorIO makes of them.
inputs = np.concatenate([
    rng.uniform(0, 1, (60, 3)), rng.uniform(-0.2, 1.3, (30, 3)),
    np.repeat(np.array([[0], [0.18], [0.5], [1], [4 / 33]]), 3, axis=1),
    np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0.25, 0.75, 0.5]])]).astype(np.float32)
lines = []
for folder in ("3dl", "csp", "look", "clf", "cdl"):
    for name in sorted(os.listdir(f"{fuzz}/{folder}")):
        path = f"{fuzz}/{folder}/{name}"
        if name.startswith("bad-") or name in ("two.ccc", "old-names.cc"):
            continue
        # A file that says how to interpolate is followed.
        way = ocio.INTERP_LINEAR if name == "trilinear.clf" else ocio.INTERP_TETRAHEDRAL
        transform = ocio.FileTransform(path, interpolation=way)
        # As the ASC has it; by default OpenColorIO does not clip.
        transform.setCDLStyle(ocio.CDL_ASC)
        processor = ocio.Config.CreateRaw().getProcessor(transform).getOptimizedCPUProcessor(ocio.OPTIMIZATION_NONE)
        out = inputs.copy()
        processor.applyRGB(out)
        for a, b in zip(inputs, out):
            lines.append(f"{folder}/{name} " + " ".join("%.9g" % v for v in np.concatenate([a, b])))
with open(f"{here}/tables.expected.txt", "w") as f:
    f.write("\n".join(lines) + "\n")
