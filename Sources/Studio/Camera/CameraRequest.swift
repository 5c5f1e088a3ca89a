import Safelight

/// What a page asks of the camera. `docs/studio-protocol.md` describes all messages.
enum CameraRequest: Sendable {
  /// Shows a source; it is one of those that the page was told of.
  case open(source: String, format: Int?)
  /// The page has left the camera.
  case close
  case shoot(request: Int, Shot, pressedAgo: Double)
  case endBurst
  case record(request: Int, isOn: Bool, hasSound: Bool)
  case control(request: Int, CameraSetting)
  case point(request: Int, PointOfInterestSetting, focus: Bool, exposure: Bool)
  case lock(request: Int, isOn: Bool)
  case zoom(request: Int, factor: Double)
  case assist(CameraAssist)
  case seek(seconds: Double)
  case pause(isOn: Bool)

  // What pages ask of photos, too.
  case view(StudioView)
  case edit(input: Int, StudioEdit, isDragging: Bool)
  case commit(input: Int, StudioEdit)
  case undo, redo
  /// - Parameter isLive: whether they are renewed until the page asks for no more.
  case looks(size: Int, StudioEdit, isLive: Bool)
  case endLooks
  case auto(request: Int, StudioFinding.Question)

  /// What one press takes.
  enum Shot: Sendable, Hashable {
    case photo
    /// - Parameter count: nil goes on until the end of the press.
    case burst(count: Int?)
    case bracket(ExposureBracket, isFused: Bool)
  }

  /// The photo by which the camera is meant in messages about photos.
  static let photo = "camera"
  /// How much is cut away by digital zoom at most.
  static let zoomRange = 1.0...8.0
}

/// What helps to take a picture.
struct CameraAssist: Sendable, Hashable {
  /// Whether the horizon is looked for.
  var level = false
  /// Whether the original of each frame is wanted too.
  var compare = false
}

extension CameraRequest {
  private static let actions = [
    "open", "close", "shoot", "burst-start", "burst-stop", "record", "control", "point", "lock", "zoom",
    "assist", "seek", "pause",
  ]
  private static let modes = ["photo", "burst", "bracket", "timer"]
  /// The longest time, in seconds, from a press to its message.
  private static let longestPress = 10.0
  private static let mostPhotos = 1000

  /// Reads a message of the type `camera`.
  ///
  /// - Throws: `SafelightError` if it is none of those known.
  init(_ fields: inout JSONObject) throws {
    let action = try fields.string("action") ?? ""
    // As in messages about photos.
    _ = try fields.string("photo")
    let request = try fields.count("request") ?? 0
    func flag(_ key: String, _ fields: inout JSONObject) throws -> Bool {
      try StudioRequest.required(fields.bool(key), key)
    }
    switch action {
    case "open":
      let source = try StudioRequest.required(fields.string("source"), "source")
      self = .open(source: source, format: try fields.count("format"))
    case "close": self = .close
    case "shoot":
      self = .shoot(request: request, try Self.shot(&fields), pressedAgo: try Self.pressedAgo(&fields))
    case "burst-start":
      self = .shoot(request: request, .burst(count: nil), pressedAgo: try Self.pressedAgo(&fields))
    case "burst-stop": self = .endBurst
    case "record":
      self = .record(
        request: request, isOn: try flag("on", &fields), hasSound: try fields.bool("sound") ?? false)
    case "control":
      let key = try StudioRequest.required(fields.string("key"), "key")
      let value = try StudioRequest.required(fields.string("value"), "value")
      self = .control(request: request, try CameraSetting(key: key, value: value))
    case "point":
      let point = PointOfInterestSetting.point(
        x: try StudioRequest.required(fields.number("x"), "x"),
        y: try StudioRequest.required(fields.number("y"), "y"))
      self = .point(
        request: request, point, focus: try fields.bool("focus") ?? true,
        exposure: try fields.bool("exposure") ?? true)
    case "lock": self = .lock(request: request, isOn: try flag("on", &fields))
    case "zoom":
      let factor = try StudioRequest.required(fields.number("factor"), "factor")
      guard Self.zoomRange.contains(factor) else {
        throw SafelightError(
          .invalidValue, "A zoom of \(PlainNumber.text(factor))×", remedy: "choose 1 to 8")
      }
      self = .zoom(request: request, factor: factor)
    case "assist": self = .assist(try Self.assist(&fields))
    case "seek":
      self = .seek(seconds: try StudioRequest.required(fields.number("seconds"), "seconds"))
    case "pause": self = .pause(isOn: try flag("on", &fields))
    default: throw NearestName.error(unknown: "action", action, among: Self.actions)
    }
  }

  private static func shot(_ fields: inout JSONObject) throws -> Shot {
    let mode = try fields.string("mode") ?? "photo"
    switch mode {
    // The page counts down; the press is when it has.
    case "photo", "timer": return .photo
    case "burst":
      let count = try fields.count("count") ?? 10
      guard (1...mostPhotos).contains(count) else {
        throw SafelightError(
          .invalidValue, "A burst of \(count) photos", remedy: "choose 1 to \(mostPhotos)")
      }
      return .burst(count: count)
    case "bracket":
      let stops = try fields.string("stops") ?? "-2,0,2"
      return .bracket(try ExposureBracket(parsing: stops), isFused: try fields.bool("fuse") ?? false)
    default: throw NearestName.error(unknown: "mode", mode, among: modes)
    }
  }

  private static func pressedAgo(_ fields: inout JSONObject) throws -> Double {
    let seconds = (try fields.number("pressedAgo") ?? 0) / 1000
    return min(max(seconds, 0), longestPress)
  }

  private static func assist(_ fields: inout JSONObject) throws -> CameraAssist {
    var assist = CameraAssist()
    assist.level = try fields.bool("level") ?? false
    // The page draws these of the frames that it has.
    _ = (try fields.bool("peaking"), try fields.bool("zebra"))
    let compare = try fields.string("compare") ?? "none"
    guard ["none", "split", "hold"].contains(compare) else {
      throw NearestName.error(unknown: "compare", compare, among: ["none", "split", "hold"])
    }
    assist.compare = compare != "none"
    return assist
  }
}

extension StudioRequest {
  /// What a message about photos asks of the camera; nil if it is about photos.
  var ofCamera: CameraRequest? {
    switch self {
    case .camera(let request): request
    case .view(photo: CameraRequest.photo, let view): .view(view)
    case .edit(photo: CameraRequest.photo, input: let input, let edit, isDragging: let isDragging):
      .edit(input: input, edit, isDragging: isDragging)
    case .commit(photo: CameraRequest.photo, input: let input, let edit): .commit(input: input, edit)
    case .auto(photo: CameraRequest.photo, request: let request, let kind): .auto(request: request, kind)
    case .undo(photo: CameraRequest.photo): .undo
    case .redo(photo: CameraRequest.photo): .redo
    case .open, .view, .edit, .commit, .undo, .redo, .drawn, .auto, .looks, .keepLook, .thumbnails, .estimate,
      .export, .library:
      nil
    }
  }
}
