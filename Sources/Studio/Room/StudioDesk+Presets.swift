import Safelight

/// One's own looks.
extension StudioDesk {
  /// Keeps the look of an edit under a name, and tells all pages.
  func keepLook(
    _ edit: StudioEdit, as name: String, of session: PhotoSession, _ request: Int, for client: StudioClient
  ) throws {
    let (recipe, entry, peer, post) = (try session.recipe(of: edit), session.entry, client.peer, post)
    parts.files.run(isUrgent: true) {
      do {
        let preset = try PresetFolder.ofUser().save(recipe, as: name)
        post { $0.presetsChanged() }
        peer.send("kept", ["request": .number(request), "preset": .string(preset.id)])
      } catch {
        peer.send(error, request: request, photo: entry.id)
      }
    }
  }

  /// Tells all pages which presets there are.
  func presetsChanged() {
    let presets = StudioWelcome.presets
    for client in clients.values { client.peer.send("presets", ["presets": presets]) }
  }
}

extension PresetFolder {
  /// - Throws: `SafelightError` if this user has no folder for settings.
  static func ofUser() throws -> PresetFolder {
    guard let folder = standard else {
      throw SafelightError(
        .file, "There is no folder for your own looks", remedy: "set HOME to your home folder")
    }
    return folder
  }
}
