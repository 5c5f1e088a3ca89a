import Safelight
import WebServer

/// The picture of the photo that a page opens first, which the page asks for over HTTP while its scripts still load: a
/// socket would have to be opened before it, by a worker that has to start.
struct FirstPicture: Sendable {
  /// The window that the picture is fitted into, in device pixels, beside no other photos.
  let size: PixelSize
  /// The rows of it that pages give to other photos where there are some.
  let filmRows: Int
  let screen: StudioScreen

  /// - Throws: `SafelightError` if a value is missing, unknown or out of range.
  init(_ query: [WebRequest.QueryItem]) throws {
    let values = try QueryValues(query, ["width", "height", "film", "space"])
    func pixels(_ name: String, from least: Int = 1) throws -> Int {
      guard let number = try values.whole(name, in: least...StudioView.mostPixels) else {
        throw SafelightError(.invalidValue, "There is no “\(name)”", remedy: "give it in device pixels")
      }
      return number
    }
    size = PixelSize(width: try pixels("width"), height: try pixels("height"))
    filmRows = try pixels("film", from: 0)
    let space = values["space"] ?? StudioScreen.sRGB.rawValue
    guard let screen = StudioScreen(rawValue: space) else {
      throw NearestName.error(unknown: "space", space, among: StudioScreen.allCases.map(\.rawValue))
    }
    self.screen = screen
  }

  /// The window among so many photos.
  func window(photos count: Int) -> PixelSize {
    PixelSize(width: size.width, height: count > 1 ? max(1, size.height - filmRows) : size.height)
  }

  /// What a page is told if there is no such picture: it waits for its connection then, which says why.
  static let none = WebResponse(status: 204)
}
