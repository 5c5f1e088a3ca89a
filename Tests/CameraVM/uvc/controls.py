"""The controls of the emulated camera and their values."""

from collections import namedtuple

CAMERA_TERMINAL, PROCESSING_UNIT = 1, 2

# UVC 1.1, 4.2: `bit` is the control's bit in its unit's bmControls, `size` the number of bytes of its value, `step`
# its resolution (for auto_exposure the set of its modes). `automatic` names the control that must have the value
# `manual` before this one can be set.
Control = namedtuple("Control", "name unit selector bit size minimum maximum step default automatic manual")

CONTROLS = [
    Control("auto_exposure", CAMERA_TERMINAL, 0x02, 1, 1, 0, 0, 0b1001, 8, None, None),
    Control("exposure_time_absolute", CAMERA_TERMINAL, 0x04, 3, 4, 1, 10000, 1, 156, "auto_exposure", 1),
    Control("focus_absolute", CAMERA_TERMINAL, 0x06, 5, 2, 0, 250, 5, 10, "focus_automatic_continuous", 0),
    Control("focus_automatic_continuous", CAMERA_TERMINAL, 0x08, 17, 1, 0, 1, 1, 1, None, None),
    Control("zoom_absolute", CAMERA_TERMINAL, 0x0B, 9, 2, 100, 500, 1, 100, None, None),
    Control("brightness", PROCESSING_UNIT, 0x02, 0, 2, -64, 64, 1, 0, None, None),
    Control("contrast", PROCESSING_UNIT, 0x03, 1, 2, 0, 95, 1, 32, None, None),
    Control("gain", PROCESSING_UNIT, 0x04, 9, 2, 0, 100, 1, 0, None, None),
    Control(
        "white_balance_temperature", PROCESSING_UNIT, 0x0A, 6, 2, 2800, 6500, 10, 4600, "white_balance_automatic", 0
    ),
    Control("white_balance_automatic", PROCESSING_UNIT, 0x0B, 12, 1, 0, 1, 1, 1, None, None),
]

# The exposure time that automatic exposure finds, in units of 100 µs: the default one.
EXPOSURE_FOUND = 156

SET_CUR = 0x01
GET_CUR, GET_MIN, GET_MAX, GET_RES = 0x81, 0x82, 0x83, 0x84
GET_LEN, GET_INFO, GET_DEF = 0x85, 0x86, 0x87

# Codes of the request error code control, UVC 1.1, 4.2.1.2.
NO_ERROR, WRONG_STATE, OUT_OF_RANGE, INVALID_CONTROL, INVALID_REQUEST = 0x00, 0x02, 0x04, 0x06, 0x07


class Refused(Exception):
    """The camera stalls the request; `code` says why."""

    def __init__(self, code):
        super().__init__(code)
        self.code = code


class Controls:
    """The camera's current values; a camera that is plugged in again starts with its defaults."""

    def __init__(self):
        self._controls = {(control.unit, control.selector): control for control in CONTROLS}
        self._values = {control.name: control.default for control in CONTROLS}

    def set(self, unit, selector, data):
        """Sets a control from the bytes of its value, and returns its name and value."""
        control = self._find(unit, selector)
        if control.automatic and self._values[control.automatic] != control.manual:
            raise Refused(WRONG_STATE)
        value = int.from_bytes(data[: control.size], "little", signed=control.minimum < 0)
        if control.maximum > control.minimum and not control.minimum <= value <= control.maximum:
            raise Refused(OUT_OF_RANGE)
        self._values[control.name] = value
        return control.name, value

    def get(self, unit, selector, request):
        control = self._find(unit, selector)
        if request == GET_INFO:
            return b"\x03"  # can be read and set
        if request == GET_LEN:
            return control.size.to_bytes(2, "little")
        values = {
            GET_CUR: self._values[control.name],
            GET_MIN: control.minimum,
            GET_MAX: control.maximum,
            GET_RES: control.step,
            GET_DEF: control.default,
        }
        if request not in values:
            raise Refused(INVALID_REQUEST)
        return values[request].to_bytes(control.size, "little", signed=control.minimum < 0)

    @property
    def light(self):
        """How bright YUYV pictures are: encoded samples are multiplied by this; 1 with automatic exposure."""
        if self._values["auto_exposure"] != 1:
            return 1.0
        return (self._values["exposure_time_absolute"] / EXPOSURE_FOUND) ** (1 / 2.2)

    def _find(self, unit, selector):
        if (unit, selector) not in self._controls:
            raise Refused(INVALID_CONTROL)
        return self._controls[unit, selector]


def supported(unit):
    """bmControls of a unit."""
    return sum(1 << control.bit for control in CONTROLS if control.unit == unit)
