import LibraryTestSupport
import Safelight
import FilterGraph
import FrameCore
import Testing

@testable import LiveVideo

@Suite("Pixels that are not square, and fields")
struct VideoShapeTests {
  private static let pal = SampleAspect(width: 16, height: 15)

  private func shape(
    _ filters: [any Filter], aspect: SampleAspect = Self.pal, fields: FieldOrder = .topFirst,
    orientation: Orientation = .up, format: PixelFormat = .i420, mayTurn: Bool = false
  ) throws -> VideoShape {
    let buffer = try PixelBuffer(
      size: PixelSize(width: 72, height: 58), format: format,
      tags: format.isRGBA
        ? .sRGB : ColorTags(primaries: .bt709, transfer: .bt709, matrix: .bt601, range: .limited))
    let frame = Frame(
      buffer: buffer, orientation: orientation, sampleAspect: aspect, fieldOrder: fields)
    let plan = try Plan(
      Recipe(filters: filters), input: frame.planInput, output: PlanOutput(), optimized: false)
    return VideoShape(of: frame, through: plan, mayTurn: mayTurn)
  }

  @Test("stay as they are where colours change, pictures are cropped or mirrored")
  func kept() throws {
    for filters: [any Filter] in [
      [], [Exposure(stops: 1)], [Crop(.rectangle(x: 3, y: 4, width: 30, height: 20))], [Flip(.horizontal)],
    ] {
      let shape = try shape(filters)
      #expect(shape.sampleAspect == Self.pal && shape.fieldOrder == .topFirst)
      #expect(!shape.isSkewed && !shape.mixesFields)
    }
  }

  @Test("change places with a quarter turn, of the file or of the edit")
  func quarterTurns() throws {
    for shape in [
      try shape([Rotate(.clockwise)], fields: .progressive),
      try shape([], fields: .progressive, orientation: .left),
    ] {
      #expect(shape.sampleAspect == SampleAspect(width: 15, height: 16) && !shape.isSkewed)
      #expect(shape.fieldOrder == .progressive && !shape.mixesFields)
    }
    let upright = try shape([Rotate(.clockwise)], fields: .progressive, orientation: .left)
    #expect(upright.sampleAspect == Self.pal)
  }

  @Test("keep the shape where the size changes, and not the fields")
  func sizes() throws {
    for format in [PixelFormat.i420, .rgba8] {
      let half = try shape([Resize(longEdge: 36)], format: format)
      #expect(half.sampleAspect == Self.pal && !half.isSkewed)
      #expect(half.fieldOrder == .progressive && half.mixesFields)
    }
  }

  @Test("become untrue with a smaller turn, which square pixels of whole frames do not mind")
  func smallTurns() throws {
    let turned = try shape([Straighten(2)])
    #expect(turned.isSkewed && turned.mixesFields)
    let plain = try shape([Straighten(2)], aspect: .square, fields: .progressive)
    #expect(!plain.isSkewed && !plain.mixesFields)
    #expect(plain.notes(for: [Y4MSink(), RawVideoSink()]).isEmpty)
  }

  @Test("become untrue from the first frame on where later ones may be turned")
  func laterTurns() throws {
    let level = try shape([], mayTurn: true)
    #expect(level.isSkewed && level.mixesFields && level.fieldOrder == .progressive)
    let plain = try shape([], aspect: .square, fields: .progressive, mayTurn: true)
    #expect(!plain.isSkewed && !plain.mixesFields)
  }

  @Test(
    "have their fields exchanged where rows move by an odd number",
    arguments: [(FieldOrder.topFirst, FieldOrder.bottomFirst), (.bottomFirst, .topFirst)])
  func exchanged(fields: FieldOrder, other: FieldOrder) throws {
    let cropped = Crop(.rectangle(x: 0, y: 3, width: 30, height: 20))
    #expect(try shape([cropped], fields: fields).fieldOrder == other)
    // Of 58 rows the last is an odd one.
    #expect(try shape([Flip(.vertical)], fields: fields).fieldOrder == other)
    #expect(try shape([], fields: fields, orientation: .down).fieldOrder == other)
    let both = try shape([Flip(.vertical), cropped], fields: fields)
    #expect(both.fieldOrder == fields && !both.mixesFields)
  }

  @Test("stand in the header of Y4M")
  func header() throws {
    var format = SinkFormat(
      size: PixelSize(width: 720, height: 576), framesPerSecond: 25, sampleAspect: Self.pal,
      fieldOrder: .topFirst)
    func header() throws -> String { String(decoding: try Y4MSink.header(format), as: UTF8.self) }
    #expect(
      try header() == "YUV4MPEG2 W720 H576 F25:1 It A16:15 C420mpeg2 XCOLORRANGE=LIMITED\n")
    format.fieldOrder = .bottomFirst
    #expect(try header().contains(" Ib A16:15 "))
  }

  @Test("are told where a sink cannot say them or the edit makes them untrue, in a sentence each")
  func notes() throws {
    let scaling = "; scale the video to square pixels first (FFmpeg: -vf scale=iw*sar:ih,setsar=1)"
    let deinterlacing = "; deinterlace it first (FFmpeg: -vf bwdif)"
    let kept = try shape([])
    #expect(kept.notes(for: [Y4MSink(), NullSink()]).isEmpty)
    let silent = [
      "The pixels of the video are not square (16:15), which stdout:rgb, screen cannot say, so that the "
        + "picture looks squeezed or stretched there" + scaling,
      "The video is interlaced, which stdout:rgb, screen cannot say, so that edges of moving objects look like "
        + "combs there" + deinterlacing,
    ]
    #expect(kept.notes(for: [Y4MSink(), RawVideoSink(), ScreenSink()]) == silent)
    let untrue = [
      "The pixels of the video are not square (16:15), so turning the picture skews it" + scaling,
      "The video is interlaced, and the edit mixes rows of two moments" + deinterlacing,
    ]
    #expect(try shape([Straighten(2)]).notes(for: [Y4MSink()]) == untrue)
  }
}
