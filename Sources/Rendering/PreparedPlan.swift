import FilterGraph
import FrameCore

/// A plan as prepared by one renderer, which it renders with.
///
/// Only `plan` and `render(_:into:)` are required. Several threads may render at once.
public protocol PreparedPlan: Sendable {
  var plan: Plan { get }

  /// Renders a whole picture into memory provided by the caller. A frame loop calls it for each frame.
  ///
  /// - Parameters:
  ///   - source: a picture of the plan's input size, format and alpha.
  ///   - output: a buffer of the plan's output size and format. The caller sets its tags.
  /// - Throws: `SafelightError` if they do not fit; `Plan.check(_:into:)` throws it.
  func render(_ source: PixelBuffer, into output: PixelBuffer) throws

  // MARK: Optional

  /// Returns this plan for one picture, whose local tone follows the light of `proxy` rather than of what is rendered:
  /// for photos whose rows are not all there at once. The default, for plans without local tone, returns the plan
  /// itself.
  ///
  /// - Throws: `SafelightError` if the proxy is of a picture of another size.
  func lit(by proxy: LightProxy) throws -> any PreparedPlan

  /// Returns this plan for the frames of one live run, whose statistics move smoothly: frames in their order, one
  /// after another, each after `LightHistory.advance(to:)` with its time. The default, for plans that measure nothing,
  /// returns the plan itself.
  func following(_ history: LightHistory) -> any PreparedPlan

  /// As `render`, but may return while a device is still working, so that the next frame can be prepared meanwhile:
  /// for frame loops that use their pictures a few frames later. The default renders at once.
  ///
  /// - Returns: a frame to wait for before using the output.
  func submit(_ source: PixelBuffer, into output: PixelBuffer) throws -> PendingFrame

  /// Renders photos in bands while they are decoded and encoded; nil, the default, renders them as a whole.
  var bands: (any BandedPlan)? { get }

  /// Takes the rows of photos while they are decoded; nil, the default, needs whole pictures. See
  /// `Renderer.takesRows`.
  var rows: (any RowTakingPlan)? { get }
}

/// A prepared plan that renders a picture in bands, from its whole source.
public protocol BandedPlan: Sendable {
  /// Derives what is needed from one picture before its bands, such as a downsampled copy.
  ///
  /// - Parameter source: a picture of the plan's input size, format and alpha. If the plan downsamples, or has local
  ///   tone and was not `lit(by:)` a proxy, all of its rows are there; otherwise, those that a band shows are there when the band is rendered (`Plan.sourceRows`).
  /// - Throws: `SafelightError` if it does not fit.
  func prepare(_ source: PixelBuffer) throws -> any PreparedPicture

  /// As `prepare(_:)`, for a picture that is rendered again and again while its edit changes: what was made of it before
  /// its colours is kept for the next plan. The default keeps nothing.
  ///
  /// - Parameter kept: belongs to this source alone.
  func prepare(_ source: PixelBuffer, keeping kept: SampledPictures) throws -> any PreparedPicture
}

/// A prepared plan that takes the rows of a picture as they are decoded.
public protocol RowTakingPlan: Sendable {
  /// Prepares a picture that is passed through a window, before its rows. Each band of the output is rendered as
  /// soon as the rows that it shows are available.
  ///
  /// - Throws: `SafelightError` if the window was made for another plan, or if the plan downsamples.
  func prepare(_ window: RowWindow) throws -> any PreparedPicture

  /// Begins to downsample a picture whose rows arrive one after another, so that the whole picture need not be in
  /// memory.
  ///
  /// - Returns: nil if the plan does not downsample.
  func beginDownsampling() throws -> (any RowDownsampling)?
}

/// A picture ready to be rendered in bands, through one prepared plan.
public protocol PreparedPicture: Sendable {
  /// Writes `rows` of the plan's output into `output`, whose first row is `rows.lowerBound`.
  ///
  /// - Throws: `SafelightError` if rows or buffer do not fit.
  func render(rows: Range<Int>, into output: PixelBuffer) throws

  /// Writes a region of the plan's output into `output`, whose first pixel is that of the region. The default renders
  /// whole rows and keeps their part.
  ///
  /// - Parameter output: RGBA of the plan's format, as large as the region.
  /// - Throws: `SafelightError` if region or buffer do not fit.
  func render(_ region: Region, of plan: Plan, into output: PixelBuffer) throws
}

/// Downsamples a picture while it is being decoded: its rows arrive from top to bottom and need not be kept.
///
/// Belongs to one thread.
public protocol RowDownsampling: AnyObject {
  /// The number of source rows taken.
  var position: Int { get }

  /// Takes the next rows of the source: the first `count` of `band`.
  ///
  /// - Parameter band: has the plan's input format and width. It may be overwritten after this returns.
  /// - Throws: `SafelightError` if it does not fit.
  func append(_ band: PixelBuffer, rows count: Int) throws

  /// Returns the downsampled picture, after the last row.
  ///
  /// - Throws: `SafelightError` if rows are missing.
  func finish() throws -> any PreparedPicture
}

extension PreparedPlan {
  public func lit(by proxy: LightProxy) throws -> any PreparedPlan { self }

  public func following(_ history: LightHistory) -> any PreparedPlan { self }

  public func submit(_ source: PixelBuffer, into output: PixelBuffer) throws -> PendingFrame {
    try render(source, into: output)
    return .done
  }

  public var bands: (any BandedPlan)? { nil }

  public var rows: (any RowTakingPlan)? { nil }

  /// Prepares a picture to be rendered in bands. A plan without `bands` renders the whole picture here.
  ///
  /// - Parameter source: as for `BandedPlan.prepare(_:)`; without `bands`, all of its rows must be there.
  public func picture(of source: PixelBuffer) throws -> any PreparedPicture {
    if let bands { try bands.prepare(source) } else { try RenderedPicture(source, through: self) }
  }
}

extension BandedPlan {
  public func prepare(_ source: PixelBuffer, keeping kept: SampledPictures) throws -> any PreparedPicture {
    try prepare(source)
  }
}

extension PreparedPicture {
  public func render(_ region: Region, of plan: Plan, into output: PixelBuffer) throws {
    try plan.check(region, output: output)
    let rows = try PixelBuffer(
      size: PixelSize(width: plan.outputSize.width, height: region.rows.count), format: output.format,
      alpha: output.alpha)
    try render(rows: region.rows, into: rows)
    rows.copy(columnsFrom: region.columns.lowerBound, into: output)
  }
}

extension PixelBuffer {
  /// Copies the columns from `first` on into an RGBA picture of as many rows.
  func copy(columnsFrom first: Int, into output: PixelBuffer) {
    let bytes = format.rgbaBytes
    for y in 0..<output.height {
      output.planes[0].row(y).copyMemory(
        from: planes[0].row(y) + first * bytes, byteCount: output.width * bytes)
    }
  }
}

extension RowDownsampling {
  /// As `append`, with rows of the picture held by a window.
  ///
  /// - Precondition: `rows` follow those already taken, and are contiguous in the window.
  package func append(_ rows: Range<Int>, of window: RowWindow) throws {
    try append(window.band(rows), rows: rows.count)
  }
}

/// A picture rendered completely on creation.
private struct RenderedPicture: PreparedPicture {
  private let plan: Plan
  private let result: PixelBuffer

  init(_ source: PixelBuffer, through prepared: some PreparedPlan) throws {
    plan = prepared.plan
    result = try plan.makeOutput()
    try prepared.render(source, into: result)
  }

  func render(rows: Range<Int>, into output: PixelBuffer) throws {
    try plan.check(rows: rows, output: output)
    for (index, shape) in result.format.planes.enumerated() {
      let (source, target) = (result.planes[index], output.planes[index])
      let bytes = shape.rowBytes(width: result.width)
      let first = rows.lowerBound / shape.rowsPerGroup
      for y in first..<shape.rows(height: rows.upperBound) {
        target.row(y - first).copyMemory(from: source.row(y), byteCount: bytes)
      }
    }
  }
}
