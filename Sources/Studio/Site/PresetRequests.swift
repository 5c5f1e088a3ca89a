import Safelight
import WebServer

/// One's own presets, for scripts and for what is dropped on the page.
struct PresetRequests: Sendable {
  let room: StudioRoom

  /// A table of 65 samples along each axis is 8 MB of text.
  static let bodyLimit = 64 << 20

  /// Keeps a table or a recipe under a name.
  func put(_ name: String, _ request: WebRequest) -> WebResponse {
    answer {
      let folder = try PresetFolder.ofUser()
      let preset: Preset
      switch request.mediaType {
      case "application/json": preset = try folder.save(Self.recipe(request.body, name), as: name)
      case "text/plain": preset = try folder.save(table: request.body, as: name)
      case _: return .problem(415, detail: "Send a recipe as application/json, or a table as text/plain.")
      }
      room.presetsChanged()
      return .json(try PresetDescription(preset).json())
    }
  }

  func delete(_ name: String) -> WebResponse {
    answer {
      let folder = try PresetFolder.ofUser()
      guard let id = folder.id(named: name) else { return .notFound }
      try folder.remove(id)
      room.presetsChanged()
      return .noContent
    }
  }

  /// A recipe comes alone: the files beside it, which it may name, stay where they are.
  private static func recipe(_ json: [UInt8], _ name: String) throws -> Recipe {
    try Recipe(json: json, file: name, catalog: .standard) { file in
      try ShippedFiles.contents(file) { _ in
        throw SafelightError(
          .unsupported, "The recipe names the file \(file), which does not come with it",
          remedy: "drop that table by itself, or use: safelight presets save")
      }
    }
  }

  private func answer(_ body: () throws -> WebResponse) -> WebResponse {
    do {
      return try body()
    } catch let error as SafelightError {
      // The names of folders are nobody's business but the user's, who is the one who asks.
      return .problem(422, title: error.problem, detail: error.remedy)
    } catch {
      return .problem(500, detail: "\(error)")
    }
  }
}
