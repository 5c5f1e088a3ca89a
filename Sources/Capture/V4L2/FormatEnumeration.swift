import CV4L2
import FrameCore

extension DeviceNode {
  /// Drivers end a list with EINVAL; this limit stops a broken driver that never does.
  private static let longestList: UInt32 = 1024

  /// Returns formats for buffers of `type`, with sizes and intervals; lists are empty if the driver enumerates
  /// none.
  private func formats(_ type: UInt32, onlyReadable: Bool) -> [DeviceFormat] {
    var formats: [DeviceFormat] = []
    for index in 0..<Self.longestList {
      var description = v4l2_fmtdesc()
      description.index = index
      description.type = type
      guard cv4l2_enumerate_format(descriptor, &description) == 0 else { break }
      let fourCC = FourCC(code: description.pixelformat)
      let known = DevicePixelFormat.known(fourCC)
      // Sizes take many requests; opening a stream needs them only for supported formats.
      formats.append(
        DeviceFormat(
          fourCC: fourCC, name: String(fixed: description.description), encoding: known?.encoding,
          sizes: known == nil && onlyReadable ? [] : sizes(fourCC)))
    }
    return formats
  }

  private func sizes(_ fourCC: FourCC) -> [DeviceFrameSize] {
    var sizes: [DeviceFrameSize] = []
    for index in 0..<Self.longestList {
      var entry = v4l2_frmsizeenum()
      entry.index = index
      entry.pixel_format = fourCC.code
      guard cv4l2_enumerate_size(descriptor, &entry) == 0 else { break }
      if entry.type == V4L2_FRMSIZE_TYPE_DISCRETE.rawValue {
        let size = PixelSize(width: Int(entry.discrete.width), height: Int(entry.discrete.height))
        sizes.append(DeviceFrameSize(.one(size), intervals: intervals(fourCC, size)))
      } else {
        let range = entry.stepwise
        let largest = PixelSize(width: Int(range.max_width), height: Int(range.max_height))
        sizes.append(
          DeviceFrameSize(
            .range(
              smallest: PixelSize(width: Int(range.min_width), height: Int(range.min_height)),
              largest: largest,
              step: PixelSize(width: max(1, Int(range.step_width)), height: max(1, Int(range.step_height)))),
            intervals: intervals(fourCC, largest)))
        // A range is the only entry in its list.
        break
      }
    }
    return sizes
  }

  /// Returns the frame intervals for pictures of one size.
  func intervals(_ fourCC: FourCC, _ size: PixelSize) -> [DeviceFrameInterval] {
    var intervals: [DeviceFrameInterval] = []
    for index in 0..<Self.longestList {
      var entry = v4l2_frmivalenum()
      entry.index = index
      entry.pixel_format = fourCC.code
      entry.width = UInt32(size.width)
      entry.height = UInt32(size.height)
      guard cv4l2_enumerate_interval(descriptor, &entry) == 0 else { break }
      if entry.type == V4L2_FRMIVAL_TYPE_DISCRETE.rawValue {
        intervals.append(.one(.init(entry.discrete.numerator, entry.discrete.denominator)))
      } else {
        let (shortest, longest) = (entry.stepwise.min, entry.stepwise.max)
        intervals.append(
          .range(
            shortest: .init(shortest.numerator, shortest.denominator),
            longest: .init(longest.numerator, longest.denominator)))
        break
      }
    }
    return intervals
  }

  /// Returns the capture formats. If the driver enumerates no sizes (grabbers follow their input signal), a format
  /// has the currently set size and, if the driver accepts it, `wanted`.
  func captureFormats(_ type: UInt32, onlyReadable: Bool = false, trying wanted: PixelSize? = nil)
    -> [DeviceFormat]
  {
    var formats = formats(type, onlyReadable: onlyReadable)
    for index in formats.indices where formats[index].sizes.isEmpty {
      guard !onlyReadable || formats[index].encoding != nil else { continue }
      let fourCC = formats[index].fourCC
      var sizes: [PixelSize] = []
      var format = cv4l2_format()
      if cv4l2_get_format(descriptor, type, &format) == 0, format.width > 0, format.height > 0 {
        sizes.append(PixelSize(width: Int(format.width), height: Int(format.height)))
      }
      if let wanted, !sizes.contains(wanted), accepts(wanted, fourCC, type) { sizes.append(wanted) }
      formats[index].sizes = sizes.map { DeviceFrameSize(.one($0), intervals: intervals(fourCC, $0)) }
    }
    return formats
  }

  private func accepts(_ size: PixelSize, _ fourCC: FourCC, _ type: UInt32) -> Bool {
    guard size.width > 0, size.height > 0, size.longEdge <= PixelBuffer.maximumEdge else { return false }
    var format = cv4l2_format()
    format.width = UInt32(size.width)
    format.height = UInt32(size.height)
    format.pixel_format = fourCC.code
    format.field = V4L2_FIELD_NONE.rawValue
    format.plane_count = 1
    return cv4l2_try_format(descriptor, type, &format) == 0 && Int(format.width) == size.width
      && Int(format.height) == size.height && format.pixel_format == fourCC.code
  }
}
