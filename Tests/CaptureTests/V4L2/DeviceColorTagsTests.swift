import CV4L2
import FrameCore
import Testing

@testable import Capture

/// Expected values: the kernel's documentation of colour spaces ("Defining Colorspaces", "Detailed Colorspace
/// Descriptions") and the code points of ITU-T H.273.
@Suite("Colour of a driver's pictures")
struct DeviceColorTagsTests {
  private let yuyv = DevicePixelFormat.Delivery.wrapped(.yuyv422, swapsChroma: false)

  private func tags(
    _ space: v4l2_colorspace, encoding: v4l2_ycbcr_encoding = V4L2_YCBCR_ENC_DEFAULT,
    quantization: v4l2_quantization = V4L2_QUANTIZATION_DEFAULT,
    transfer: v4l2_xfer_func = V4L2_XFER_FUNC_DEFAULT, _ delivery: DevicePixelFormat.Delivery
  ) -> ColorTags {
    var format = cv4l2_format()
    format.colorspace = space.rawValue
    format.ycbcr_encoding = encoding.rawValue
    format.quantization = quantization.rawValue
    format.transfer = transfer.rawValue
    return DeviceColorTags.tags(format, delivery: delivery)
  }

  @Test("What a driver leaves open follows from its colour space")
  func defaults() {
    let expected: [(v4l2_colorspace, ColorTags)] = [
      (
        V4L2_COLORSPACE_SMPTE170M,
        ColorTags(primaries: .bt601NTSC, transfer: .bt709, matrix: .bt601, range: .limited)
      ),
      (
        V4L2_COLORSPACE_REC709,
        ColorTags(primaries: .bt709, transfer: .bt709, matrix: .bt709, range: .limited)
      ),
      (
        V4L2_COLORSPACE_470_SYSTEM_BG,
        ColorTags(primaries: .bt601PAL, transfer: .bt709, matrix: .bt601, range: .limited)
      ),
      (V4L2_COLORSPACE_JPEG, ColorTags(primaries: .bt709, transfer: .sRGB, matrix: .bt601, range: .full)),
      (V4L2_COLORSPACE_SRGB, ColorTags(primaries: .bt709, transfer: .sRGB, matrix: .bt601, range: .limited)),
      (
        V4L2_COLORSPACE_BT2020,
        ColorTags(primaries: .bt2020, transfer: .bt709, matrix: .bt2020NonConstant, range: .limited)
      ),
      (
        V4L2_COLORSPACE_OPRGB,
        ColorTags(primaries: .unspecified, transfer: .gamma22, matrix: .bt601, range: .limited)
      ),
      (
        V4L2_COLORSPACE_DCI_P3,
        ColorTags(primaries: .unspecified, transfer: .unspecified, matrix: .bt709, range: .limited)
      ),
      (
        V4L2_COLORSPACE_RAW,
        ColorTags(primaries: .unspecified, transfer: .linear, matrix: .bt601, range: .limited)
      ),
      // No colour space at all is what webcams mean.
      (
        V4L2_COLORSPACE_DEFAULT,
        ColorTags(primaries: .bt709, transfer: .sRGB, matrix: .bt601, range: .limited)
      ),
    ]
    for (space, wanted) in expected {
      #expect(tags(space, yuyv) == wanted, "colour space \(space.rawValue)")
    }
  }

  @Test("What a driver says goes before what its colour space implies")
  func explicit() {
    #expect(
      tags(
        V4L2_COLORSPACE_SRGB, encoding: V4L2_YCBCR_ENC_709, quantization: V4L2_QUANTIZATION_FULL_RANGE,
        transfer: V4L2_XFER_FUNC_709, yuyv)
        == ColorTags(primaries: .bt709, transfer: .bt709, matrix: .bt709, range: .full))
  }

  @Test("RGB is full range without a matrix, unless the driver says that its range is limited")
  func rgb() {
    let rgb = DevicePixelFormat.Delivery.convertedRGB(.rgb)
    #expect(tags(V4L2_COLORSPACE_SRGB, rgb) == .sRGB)
    #expect(tags(V4L2_COLORSPACE_SRGB, quantization: V4L2_QUANTIZATION_LIM_RANGE, rgb).range == .limited)
  }

  @Test("JPEG is full-range BT.601 whatever its colour space, as JFIF has it")
  func jpeg() {
    for space in [
      V4L2_COLORSPACE_SRGB, V4L2_COLORSPACE_JPEG, V4L2_COLORSPACE_REC709, V4L2_COLORSPACE_DEFAULT,
    ] {
      let found = tags(space, .jpeg)
      #expect(found.matrix == .bt601 && found.range == .full, "colour space \(space.rawValue)")
    }
  }

  @Test("What is told to an output device reads back as the same tags")
  func described() {
    let all = [
      ColorTags(primaries: .bt709, transfer: .sRGB, matrix: .bt601, range: .limited),
      ColorTags(primaries: .bt709, transfer: .bt709, matrix: .bt709, range: .limited),
      ColorTags(primaries: .bt601NTSC, transfer: .bt709, matrix: .bt601, range: .limited),
      ColorTags(primaries: .bt709, transfer: .sRGB, matrix: .bt601, range: .full),
      ColorTags(primaries: .bt2020, transfer: .bt709, matrix: .bt2020NonConstant, range: .limited),
      ColorTags(primaries: .bt2020, transfer: .pq, matrix: .bt2020NonConstant, range: .limited),
    ]
    for tags in all {
      var format = cv4l2_format()
      DeviceColorTags.describe(tags, in: &format)
      #expect(DeviceColorTags.tags(format, delivery: yuyv) == tags, "\(tags)")
    }
  }
}
