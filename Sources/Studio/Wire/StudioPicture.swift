import Safelight

/// A photo of which views are rendered.
protocol ViewedPhoto {
  func view(_ recipe: Recipe, in viewport: PhotoViewport, proof: SoftProof?) throws -> PhotoView
}

extension ResidentPhoto: ViewedPhoto {}
extension PhotoDraft: ViewedPhoto {}

/// A rendered picture of a photo in a window, as it is sent to a page.
struct StudioPicture {
  enum Kind {
    /// While something is dragged: small, to be followed by a sharp one.
    case moving
    case still
    /// Without the colours of the edit, for comparison.
    case original
  }

  let stripes: [StripeEncoder.Stripe]
  /// What people should know of it.
  let notes: [String]
  private let fields: [String: JSONValue]

  /// - Parameters:
  ///   - detail: the part of the pixels along each axis that moving pictures have.
  ///   - proof: the device that the picture is shown as reproduced by; nil for none.
  /// - Throws: `SafelightError` if it cannot be rendered.
  init(
    of photo: any ViewedPhoto, _ recipe: Recipe, in view: StudioView, _ kind: Kind, detail: Double,
    proof: SoftProof? = nil, encoder: StripeEncoder
  ) throws {
    var viewport = view.viewport
    if kind == .moving { (viewport.detail, viewport.isMoving) = (detail, true) }
    let began = Timestamp.now
    let shown = try photo.view(
      kind == .original ? recipe.geometryOnly : recipe, in: viewport, proof: proof)
    Self.blackenTransparency(of: shown.picture)
    let rendered = Timestamp.now
    let stripes = try encoder.encode(
      shown.picture, kind == .moving ? .moving : .still, profile: view.screen.profile,
      most: view.mostStripes)
    let encoded = Timestamp.now
    (self.stripes, notes) = (stripes, shown.notes)
    fields = [
      "kind": .string(kind == .original ? "original" : "edited"), "final": .bool(kind != .moving),
      "uncropped": .bool(view.isUncropped), "view": .number(view.number),
      "space": .string(view.screen.rawValue),
      "full": .size(shown.fullSize), "scaled": .size(shown.scaledSize),
      "window": .region(shown.window), "places": .places(shown.places), "picture": .size(shown.picture.size),
      "stripes": .stripes(stripes),
      "histogram": kind == .still ? StudioHistogram(shown.picture, view.screen).json : .null,
      "times": .object([
        "render": Self.milliseconds(began, rendered), "encode": Self.milliseconds(rendered, encoded),
      ]),
    ]
  }

  /// What the page is told of the picture.
  ///
  /// - Parameters:
  ///   - input: the page's number of the newest change that it shows.
  ///   - wait: seconds since that came.
  ///   - isAhead: whether the page does not show this photo yet.
  func header(frame: Int, photo: String, input: Int, wait: Double, isAhead: Bool = false) -> [String:
    JSONValue]
  {
    var header = fields
    header["frame"] = .number(frame)
    header["photo"] = .string(photo)
    header["input"] = .number(input)
    if isAhead { header["ahead"] = .bool(true) }
    if case .object(var times)? = header["times"] {
      times["wait"] = .number((wait * 1e4).rounded() / 10)
      header["times"] = .object(times)
    }
    return header
  }

  private static func milliseconds(_ from: Timestamp, _ to: Timestamp) -> JSONValue {
    .number((to.seconds(since: from) * 1e4).rounded() / 10)
  }

  /// Shows transparent corners as the black that the page has behind the picture.
  static func blackenTransparency(of picture: PixelBuffer) {
    guard picture.alpha == .straight else { return }
    for y in 0..<picture.height {
      let row = picture.planes[0].row(y).assumingMemoryBound(to: UInt8.self)
      for x in 0..<picture.width where row[4 * x + 3] < 255 {
        let alpha = UInt16(row[4 * x + 3])
        for channel in 0..<3 {
          row[4 * x + channel] = UInt8((UInt16(row[4 * x + channel]) * alpha + 127) / 255)
        }
      }
    }
  }
}
