import FrameAnalysis
import FrameCore
import Rendering

/// A sheet with a photo and its scopes: histogram, luma waveform, RGB parade and vectorscope.
///
/// All show the signal sent to an sRGB display, in percent of full scale. The sheet is dark, 1920×1080, `rgba8`,
/// sRGB.
public struct ScopesPicture {
  /// The size of the sheet, in pixels.
  public static let size = PixelSize(width: 1920, height: 1080)

  private let title: String
  private let photo: PixelBuffer
  private let samples: SignalSamples

  /// - Parameter title: the text above the photo, for example its name.
  /// - Throws: `SafelightError` if the photo's ICC profile is damaged or is not a matrix with curves.
  public init(_ sample: PhotoSample, title: String) throws {
    self.title = title
    let box = ScopeSheet.photo.content
    photo = try sample.picture(within: PixelSize(width: box.width, height: box.height))
    samples = try SignalSamples(sample.buffer, orientation: sample.orientation)
  }

  /// Draws the sheet.
  ///
  /// - Throws: `SafelightError` if memory is short.
  public func render() throws -> PixelBuffer {
    let canvas = try Canvas(size: Self.size, tags: .sRGB, alpha: .opaque)
    canvas.fill(CanvasColor(red: 0x12, green: 0x13, blue: 0x15))
    let scopes = ScopePainter(canvas: canvas)
    drawPhoto(on: canvas, scopes)

    let luma = waveform(samples.luma, ScopeSheet.waveform)
    let parade = [samples.red, samples.green, samples.blue].enumerated().map { index, plane in
      waveform(plane, ScopeSheet.parade(index))
    }
    scopes.drawHistogram(luma: luma.histogram, channels: parade.map(\.histogram), ScopeSheet.histogram)
    scopes.drawWaveform(luma, ScopeSheet.waveform)
    scopes.drawParade(parade)
    scopes.drawVectorscope(Vectorscope(samples), ScopeSheet.vectorscope)
    return canvas.buffer
  }

  private func waveform(_ plane: [Float], _ panel: ScopePanel) -> Waveform {
    Waveform(plane, size: samples.size, columns: panel.plot.width)
  }

  private func drawPhoto(on canvas: Canvas, _ scopes: ScopePainter) {
    let panel = ScopeSheet.photo
    scopes.drawTitle(title, panel)
    canvas.copyOverGround(photo, left: panel.content.x, top: panel.content.y)
  }
}

/// The position of a scope on the sheet.
struct ScopePanel {
  let title: String
  /// The whole panel, including the title.
  let outer: PixelRect
  /// The area below the title.
  let content: PixelRect
  /// The area of the trace: the content without the space for numbers at the left and below.
  let plot: PixelRect

  init(_ title: String, _ outer: PixelRect, left: Int = 0, right: Int = 0, bottom: Int = 0) {
    self.title = title
    self.outer = outer
    let head = 34
    content = PixelRect(x: outer.x, y: outer.y + head, width: outer.width, height: outer.height - head)
    plot = PixelRect(
      x: content.x + left, y: content.y, width: content.width - left - right,
      height: content.height - bottom)
  }
}

/// The layout of the 1920×1080 sheet: three columns above; below, one single and one double column.
enum ScopeSheet {
  static let margin = 40
  static let gutter = 36
  /// Space for `100` beside a plot.
  static let numbers = 48

  private static let column = (ScopesPicture.size.width - 2 * margin - 2 * gutter) / 3
  private static let row = (ScopesPicture.size.height - 2 * margin - gutter) / 2

  private static func place(column index: Int, row: Int, columns: Int = 1) -> PixelRect {
    PixelRect(
      x: margin + index * (column + gutter), y: margin + row * (Self.row + gutter),
      width: columns * column + (columns - 1) * gutter, height: Self.row)
  }

  static let photo = ScopePanel("", place(column: 0, row: 0))
  static let waveform = ScopePanel(
    "Luma waveform", place(column: 1, row: 0), left: numbers, bottom: 10)
  static let vectorscope = ScopePanel("Vectorscope", place(column: 2, row: 0))
  static let histogram = ScopePanel("Histogram", place(column: 0, row: 1), right: 16, bottom: 32)
  static let parade = ScopePanel(
    "RGB parade", place(column: 1, row: 1, columns: 2), left: numbers, bottom: 10)

  /// Returns the parade's panel for one channel; 0 is red.
  static func parade(_ channel: Int) -> ScopePanel {
    let gap = 12
    let width = (parade.plot.width - 2 * gap) / 3
    let head = parade.plot.y - parade.outer.y
    return ScopePanel(
      "",
      PixelRect(
        x: parade.plot.x + channel * (width + gap), y: parade.plot.y - head, width: width,
        height: parade.plot.height + head))
  }
}
