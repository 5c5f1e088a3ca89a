import Capture
import FilterGraph
import FrameCore
import PhotoIO
import Rendering
import Libc

/// Some moments of the synthetic scene, from which frames of any size and format are made.
struct ProfileScene {
  private let pictures: [PixelBuffer]
  private let renderer: CPURenderer

  /// The tags of camera samples as webcams send them, the same as those of `SyntheticInput`.
  static let cameraTags = ColorTags(primaries: .bt709, transfer: .sRGB, matrix: .bt601, range: .limited)

  /// - Parameter size: the size of the frames; if it exceeds that of the painted scene, its pictures are repeated.
  init(size: PixelSize, moments: Int, renderer: CPURenderer) throws {
    self.renderer = renderer
    let edges = SyntheticInput.edges
    func clamped(_ edge: Int) -> Int { min(max(edge, edges.lowerBound), edges.upperBound) }
    let input = try SyntheticInput(
      size: PixelSize(width: clamped(size.width), height: clamped(size.height)), framesPerSecond: 20,
      encoding: .rgba8, paced: false, frameLimit: moments)
    let stream = try input.openStream(StreamRequest())
    defer { stream.close() }
    var pictures: [PixelBuffer] = []
    while pictures.count < moments {
      guard case .frame(let frame) = try stream.next(until: Timestamp.now.advanced(bySeconds: 60)) else {
        break
      }
      pictures.append(try Self.copy(frame.buffer, size: frame.buffer.size))
    }
    guard !pictures.isEmpty else {
      throw SafelightError(.device, "The synthetic scene cannot be painted at \(size)")
    }
    self.pictures = pictures
  }

  /// Returns a frame in the form that a plan for `input` takes. Frames of different numbers differ, as far as
  /// there are moments.
  func frame(_ number: Int, size: PixelSize, input: ProfileInput) throws -> PixelBuffer {
    let picture = try picture(number, size: size)
    switch input {
    case .rgba8: return picture
    case .rgba16, .f32:
      let plan = try renderer.plan(
        Recipe(), input: PlanInput(picture), output: PlanOutput(format: input.format))
      return try renderer.render(picture, through: plan)
    case .yuyv, .nv12, .mjpeg:
      let frame = try PixelBuffer(size: size, format: input.format, tags: Self.cameraTags)
      try PixelConverter(sharingThreadsOf: renderer).convert(picture, into: frame)
      return frame
    }
  }

  /// Returns the picture at `size`, repeated if it is smaller.
  func picture(_ number: Int, size: PixelSize) throws -> PixelBuffer {
    let picture = pictures[number % pictures.count]
    return picture.size == size ? picture : try Self.copy(picture, size: size)
  }

  private static func copy(_ picture: PixelBuffer, size: PixelSize) throws -> PixelBuffer {
    let copy = try PixelBuffer(size: size, format: .rgba8)
    for y in 0..<size.height {
      let (source, target) = (picture.planes[0].row(y % picture.height), copy.planes[0].row(y))
      for x in stride(from: 0, to: size.width, by: picture.width) {
        memcpy(target + 4 * x, source, 4 * min(picture.width, size.width - x))
      }
    }
    return copy
  }
}

/// Delivers frames of one size and kind in rotation, decoded if they are encoded.
///
/// There are so many that they do not all fit into the caches: a camera's frames are not in a cache either.
final class ProfileSource {
  let input: ProfileInput
  let size: PixelSize
  let planInput: PlanInput
  /// The bytes of one frame as delivered, encoded or not.
  let frameBytes: Int
  private let frames: [PixelBuffer]
  private let encoded: [[UInt8]]
  private let decoder: MJPEGDecoder?
  private var position = 0

  init(_ scene: ProfileScene, input: ProfileInput, size: PixelSize, count: Int) throws {
    self.input = input
    self.size = size
    guard input == .mjpeg else {
      frames = try (0..<count).map { try scene.frame($0, size: size, input: input) }
      encoded = []
      decoder = nil
      planInput = try PlanInput(frames[0])
      frameBytes = Self.bytes(frames[0])
      return
    }
    frames = []
    let encoder = try JPEGFrameEncoder()
    encoded = try (0..<count).map { number in
      try encoder.encode(try scene.picture(number, size: size)) { Array($0) }
    }
    decoder = try MJPEGDecoder(expecting: size)
    planInput = try input.planInput(size: size)
    frameBytes = encoded.reduce(0) { $0 + $1.count } / count
  }

  /// Returns the next frame, and decodes it if it is encoded.
  func next() throws -> PixelBuffer {
    position += 1
    guard let decoder else { return frames[position % frames.count] }
    let data = encoded[position % encoded.count]
    switch try data.withUnsafeBytes({ try decoder.decode($0) }) {
    case .decoded(let buffer): return buffer
    case .damaged:
      throw SafelightError(.corruptData, "A frame of the profile cannot be decoded (\(decoder.problem))")
    case .outOfBuffers:
      throw SafelightError(.noResources, "Too many decoded frames of the profile are in use")
    }
  }

  /// The bytes of one frame's decoded samples.
  var pictureBytes: Int { Self.bytes(size, input.format) }

  /// Returns the bytes of a picture's samples, without row padding.
  static func bytes(_ buffer: PixelBuffer) -> Int { bytes(buffer.size, buffer.format) }

  static func bytes(_ size: PixelSize, _ format: PixelFormat) -> Int {
    format.planes.reduce(0) { $0 + $1.rowBytes(width: size.width) * $1.rows(height: size.height) }
  }
}
