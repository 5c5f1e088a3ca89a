import Safelight

/// What a page asks for. `docs/studio-protocol.md` describes all messages.
enum StudioRequest: Sendable {
  /// - `near`: the photos that are next to it on the page, the nearest first.
  case open(photo: String, near: [String])
  case view(photo: String, StudioView)
  case edit(photo: String, input: Int, StudioEdit, isDragging: Bool)
  case commit(photo: String, input: Int, StudioEdit)
  case undo(photo: String)
  case redo(photo: String)
  case drawn(frame: Int)
  case auto(photo: String, request: Int, StudioFinding.Question)
  case looks(photo: String, size: Int, StudioEdit)
  case keepLook(photo: String, request: Int, name: String, StudioEdit)
  case thumbnails(photos: [String], size: Int)
  case estimate(photo: String, request: Int, StudioExport)
  case export(photo: String, request: Int, StudioExport)
  case camera(CameraRequest)
  case library(LibraryRequest)
}

/// What a page shows of a photo.
struct StudioView: Sendable, Hashable {
  var number: Int
  var viewport: PhotoViewport
  /// What the page is seen on.
  var screen = StudioScreen.sRGB
  /// The most JPEGs that a picture is sent as: of more than one only where that is faster.
  var mostStripes = Int.max
  /// Whether the crop is left out, to be chosen.
  var isUncropped = false
  /// Whether the original is wanted too, for comparison.
  var wantsOriginal = false
  /// Whether the picture is shown as the studio's proof has it, and colours that its device lacks as grey.
  var isProof = false
  var marksGamut = false
}

extension StudioRequest {
  /// Reads a message.
  ///
  /// - Throws: `SafelightError` if it is none of those known.
  init(_ text: String) throws {
    let json = try JSONValue(parsing: Array(text.utf8), file: "message")
    var fields = try JSONObject(json, path: "message")
    let type = try fields.string("type") ?? ""
    func photo() throws -> String { try Self.required(fields.string("photo"), "photo") }
    func edit() throws -> StudioEdit { try StudioEdit(fields.value("edit") ?? .object([:])) }
    func request() throws -> Int { try Self.required(fields.count("request"), "request") }
    func input() throws -> Int { try Self.required(fields.count("input"), "input") }
    switch type {
    case "open": self = .open(photo: try photo(), near: try Self.photos(&fields, "near", atMost: 6))
    case "view": self = .view(photo: try photo(), try StudioView(&fields))
    case "edit":
      self = .edit(
        photo: try photo(), input: try input(), try edit(), isDragging: try fields.bool("dragging") ?? false)
    case "commit":
      self = .commit(photo: try photo(), input: try input(), try edit())
      // What the page calls the step; the server names it by what has changed.
      _ = try fields.string("label")
    case "undo": self = .undo(photo: try photo())
    case "redo": self = .redo(photo: try photo())
    case "drawn": self = .drawn(frame: try Self.required(fields.count("frame"), "frame"))
    case "auto":
      let name = try fields.string("kind") ?? ""
      guard let kind = StudioFinding.Kind(rawValue: name) else {
        throw NearestName.error(
          unknown: "kind", name, among: StudioFinding.Kind.allCases.map(\.rawValue))
      }
      var place: SIMD2<Double>?
      if kind == .greyPoint {
        place = SIMD2(
          try Self.required(fields.number("x"), "x"), try Self.required(fields.number("y"), "y"))
      }
      self = .auto(
        photo: try photo(), request: try request(), StudioFinding.Question(kind, at: place))
    case "looks":
      self = try Self.looks(of: try photo(), size: try Self.thumbnailSize(&fields), try edit(), &fields)
    case "keep-look":
      self = .keepLook(
        photo: try photo(), request: try request(), name: try Self.required(fields.string("name"), "name"),
        try edit())
    case "thumbnails":
      self = .thumbnails(
        photos: try Self.photos(&fields, atMost: 1000), size: try Self.thumbnailSize(&fields))
    case "estimate":
      self = .estimate(photo: try photo(), request: try request(), try StudioExport(fields.value("options")))
    case "export":
      self = .export(photo: try photo(), request: try request(), try StudioExport(fields.value("options")))
    case "camera": self = .camera(try CameraRequest(&fields))
    default:
      guard let request = try LibraryRequest(type, &fields) else {
        throw NearestName.error(
          unknown: "message", type,
          among: [
            "camera", "open", "view", "edit", "commit", "undo", "redo", "drawn", "auto", "looks", "keep-look",
            "thumbnails",
            "estimate", "export",
          ] + LibraryRequest.names)
      }
      self = .library(request)
    }
    try fields.refuseUnknownKeys()
  }

  /// Those of the camera are renewed for as long as they are wanted.
  private static func looks(
    of photo: String, size: Int, _ edit: StudioEdit, _ fields: inout JSONObject
  ) throws -> StudioRequest {
    guard photo == CameraRequest.photo else { return .looks(photo: photo, size: size, edit) }
    let isLive = try fields.bool("live")
    return .camera(isLive == false ? .endLooks : .looks(size: size, edit, isLive: isLive ?? false))
  }

  static func required<Value>(_ value: Value?, _ key: String) throws -> Value {
    guard let value else { throw SafelightError(.corruptData, "message has no “\(key)”") }
    return value
  }

  /// Of a cell that is half as wide as a phone with three pixels to each of CSS, and filled by the middle of a photo.
  private static let mostThumbnailEdge = 768

  static func thumbnailSize(_ fields: inout JSONObject) throws -> Int {
    min(max(try fields.count("size") ?? 128, 16), mostThumbnailEdge)
  }
}

extension StudioView {
  /// The largest window: the longest edges of screens, and some more.
  static let mostPixels = 16_384

  fileprivate init(_ fields: inout JSONObject) throws {
    number = try StudioRequest.required(fields.count("view"), "view")
    let size = PixelSize(
      width: try StudioRequest.required(fields.count("width"), "width"),
      height: try StudioRequest.required(fields.count("height"), "height"))
    guard size.width > 0, size.height > 0, size.longEdge <= Self.mostPixels else {
      throw SafelightError(
        .invalidValue, "A view of \(size) pixels", remedy: "ask for 1 to \(Self.mostPixels) along each axis")
    }
    let (scale, x, y) = (try fields.number("scale"), try fields.number("x"), try fields.number("y"))
    var zoom = PhotoViewport.Zoom.fit
    if try fields.string("mode") == "zoom" {
      guard let scale, scale > 0 else {
        throw SafelightError(.invalidValue, "A zoom without a scale above 0")
      }
      zoom = .scale(scale, x: x ?? 0.5, y: y ?? 0.5)
    }
    if let count = try fields.count("stripes") { mostStripes = max(1, count) }
    if let name = try fields.string("space") {
      guard let known = StudioScreen(rawValue: name) else {
        throw NearestName.error(unknown: "space", name, among: StudioScreen.allCases.map(\.rawValue))
      }
      screen = known
    }
    viewport = PhotoViewport(size: size, zoom: zoom, space: screen.space)
    isUncropped = try fields.bool("uncropped") ?? false
    wantsOriginal = try fields.bool("original") ?? false
    isProof = try fields.bool("proof") ?? false
    marksGamut = try fields.bool("gamutWarning") ?? false
  }
}
