import AnalysisKernels
import ColorScience
import FrameCore

/// The frames of a merge, checked, and how their samples relate to light.
struct MergeInput: @unchecked Sendable {
  let frames: [PixelBuffer]
  let reference: Int
  let size: PixelSize
  /// The meaning of the result's samples.
  let tags: ColorTags
  private let pictures: [sla_merge_picture]
  private let decode: FunctionTables
  private let encode: FunctionTables

  /// - Throws: `SafelightError` for frames that cannot be merged; see `FrameMerge.merge(_:reference:)`.
  init(_ frames: [PixelBuffer], reference: Int) throws {
    guard !frames.isEmpty, frames.count <= FrameMerge.maximumFrames else {
      throw SafelightError(
        .invalidValue, "\(frames.count) frames cannot be merged",
        remedy: "choose 1 to \(FrameMerge.maximumFrames) of them")
    }
    guard frames.indices.contains(reference) else {
      throw SafelightError(
        .invalidValue, "Frame \(reference) of \(frames.count) cannot be the reference",
        remedy: "choose one from 0 to \(frames.count - 1)")
    }
    let first = frames[reference]
    tags = try Self.outputTags(first)
    for (index, frame) in frames.enumerated() {
      guard frame.size == first.size else {
        throw SafelightError(
          .invalidValue,
          "Frame \(index + 1) has \(frame.size) pixels, the reference \(first.size)",
          remedy: "merge frames of one size")
      }
      guard try Self.outputTags(frame) == tags else {
        throw SafelightError(
          .invalidValue, "Frame \(index + 1) and the reference have different colour spaces",
          remedy: "convert all frames to one colour space first")
      }
    }
    (self.frames, self.reference, size) = (frames, reference, first.size)
    pictures = try frames.map { try sla_merge_picture(samplesOf: $0) }
    let space = try ColorSpace(tags: tags)
    decode = FunctionTables(from: -0.5, to: 1.5) { space.transfer[$1].decode($0) }
    encode = FunctionTables(from: 0, to: 1.25) { space.transfer[$1].encode($0 * $0) }
  }

  /// The tags of a frame's R, G, B in full range.
  private static func outputTags(_ frame: PixelBuffer) throws -> ColorTags {
    guard frame.format != .rgbaF32 else {
      throw SafelightError(
        .unsupported, "Frames in \(frame.format.rawValue) cannot be merged",
        remedy: "convert them to rgba16 first")
    }
    guard frame.alpha == .opaque else {
      throw SafelightError(
        .unsupported, "Pictures with transparency cannot be merged", remedy: "flatten them first")
    }
    guard !frame.tags.isHighDynamicRange else {
      throw SafelightError(
        .unsupported, "HDR frames (PQ, HLG) cannot be merged", remedy: "convert them to SDR first")
    }
    if frame.format.isRGBA {
      return ColorTags(
        primaries: frame.tags.primaries, transfer: frame.tags.transfer, iccProfile: frame.tags.iccProfile)
    }
    var tags = ColorTags(primaries: frame.tags.primaries, transfer: frame.tags.transfer)
    // As `ColorSpace.init(videoTags:)` has it.
    if tags.transfer == .gamma22 || tags.transfer == .gamma28 { tags.transfer = .sRGB }
    return tags
  }

  /// The standard deviation of rounding to codes of the frames' format, where 1 is full scale.
  var rounding: Float { frames[reference].format == .rgba16 ? 0.29 / 1023 : 0.29 / 255 }

  /// Reads R', G', B' of a block, which may reach beyond the picture, into `window`.
  func read(_ frame: Int, _ block: MergeBlock, into window: SampleWindow, _ scratch: MergeScratch) {
    let memory = scratch.samples(sla_read_window_scratch(Int32(block.columns.count)))
    var picture = pictures[frame]
    window.fill(3, block) { window in
      sla_read_window(
        &picture, Int32(block.columns.lowerBound), Int32(block.rows.lowerBound), &window, memory)
    }
  }

  /// Warps a block of a frame into the window `warped` of `scratch`.
  func warp(_ frame: Int, _ block: MergeBlock, _ field: Displacements, _ scratch: MergeScratch) {
    let source = block.source(field, size)
    read(frame, source, into: scratch.source, scratch)
    scratch.warp(block, from: source, field, size, channels: 3)
  }

  /// Adds the window `warped`, weighted by the window `weights`, to `sums`; returns the sum of the weights.
  func add(_ scratch: MergeScratch) -> Double {
    var (warped, weights) = (scratch.warped.window, scratch.weights.window)
    var sums = scratch.sums.window
    return decode.withKernelTables { sla_merge_add(&warped, &weights, &$0, &sums) }
  }

  /// Writes a block of the result.
  func store(_ reference: sla_window, _ sums: sla_window, to output: PixelBuffer, _ block: MergeBlock) {
    var (reference, sums) = (reference, sums)
    let plane = output.planes[0]
    let start = plane.row(block.rows.lowerBound) + 8 * block.columns.lowerBound
    decode.withKernelTables { decode in
      encode.withKernelTables { encode in
        sla_merge_store(
          &reference, &sums, &decode, &encode, start.assumingMemoryBound(to: UInt16.self), plane.rowBytes)
      }
    }
  }
}

/// Tables of one function for each channel.
private struct FunctionTables {
  private let entries: [Float]
  private let from: Double
  private let to: Double
  private static let count = 8193

  init(from: Double, to: Double, _ function: (_ x: Double, _ channel: Int) -> Double) {
    (self.from, self.to) = (from, to)
    var entries: [Float] = []
    entries.reserveCapacity(3 * Self.count)
    for channel in 0..<3 {
      for index in 0..<Self.count {
        let x = from + (to - from) * Double(index) / Double(Self.count - 1)
        entries.append(Float(function(x, channel)))
      }
    }
    self.entries = entries
  }

  func withKernelTables<Result>(_ body: (inout sla_function_tables) -> Result) -> Result {
    entries.withUnsafeBufferPointer { entries in
      var tables = sla_function_tables(
        entries: entries.baseAddress, count: Int32(Self.count), from: Float(from), to: Float(to))
      return body(&tables)
    }
  }
}

extension sla_merge_picture {
  /// Describes the samples of `buffer`; valid while the buffer is.
  ///
  /// - Throws: `SafelightError` if the tags of luma and colour differences name the matrix of RGB samples.
  init(samplesOf buffer: PixelBuffer) throws {
    self.init()
    let samples = sla_color_picture(samplesOf: buffer)
    (base, row_bytes, step) = (samples.base, samples.row_bytes, samples.step)
    (column_shift, row_shift, bits) = (samples.column_shift, samples.row_shift, samples.bits)
    (matrix, offset) = (samples.matrix, samples.offset)
    (width, height) = (samples.width, samples.height)
    even_columns = (0, 1)
    odd_columns = (0.5, 0.5)
    (even_rows, odd_rows) = (even_columns, odd_columns)
    if buffer.format == .gray8, buffer.tags.range == .limited {
      // H.273: black at 16 and white at 235.
      let gain: Float = 255.0 / 219
      matrix = (gain, 0, 0, 0, gain, 0, 0, 0, gain)
      offset = (-16.0 / 219, -16.0 / 219, -16.0 / 219)
    }
    guard buffer.format.isYCbCr else { return }
    let siting = try YCbCrEncoding(tags: buffer.tags, size: buffer.size).siting
    // Midway between two columns or rows, chroma is nearer to one's own pair.
    if siting == .center { (even_columns, odd_columns) = ((0.25, 0.75), (0.75, 0.25)) }
    if siting != .topLeft { (even_rows, odd_rows) = ((0.25, 0.75), (0.75, 0.25)) }
  }
}
