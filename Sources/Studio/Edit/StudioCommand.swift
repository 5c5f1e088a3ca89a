import Safelight

/// The command line that does what was done on the page.
enum StudioCommand {
  /// Returns the command that writes an edited photo.
  ///
  /// An edit that flags cannot say is taken from the file beside the photo.
  ///
  /// - Parameters:
  ///   - output: where the result goes.
  ///   - options: nil for those by default.
  static func edit(
    _ edit: StudioEdit, photo: String, to output: String = "edited.jpg", _ options: StudioExport? = nil
  ) -> String {
    var words = ["safelight"]
    if let flags = edit.flags {
      words += ["edit", photo, "-o", output] + flags + lensFlags([photo], edit)
    } else {
      words += ["export", photo, "-o", FolderListing.parent(of: output)]
    }
    // The studio renders with the processor, and only the same backend makes the same bytes.
    words += (options?.flags ?? []) + (options == nil ? [] : ["--backend", "cpu"])
    return words.map(ShellText.quoted).joined(separator: " ")
  }

  /// Returns the command that exports photos: those with an edit as it is beside them, all others as they are.
  ///
  /// - Parameter folder: where the results go.
  static func export(edited: [String], plain: [String], to folder: String, _ options: StudioExport) -> String
  {
    let commands = [("export", edited), ("batch", plain)].filter { !$0.1.isEmpty }.map {
      name, photos -> String in
      let lens = name == "batch" ? lensFlags(photos) : []
      return (["safelight", name] + photos + ["-o", folder] + lens + options.flags).map(ShellText.quoted)
        .joined(
          separator: " ")
    }
    return commands.joined(separator: " && ")
  }

  /// Commands correct the lenses of raws unless they are told not to, and the page corrects none by itself.
  private static func lensFlags(_ photos: [String], _ edit: StudioEdit = StudioEdit()) -> [String] {
    let isGiven = edit.values.values.keys.contains { $0.hasPrefix("lens-") }
    let hasRaws = photos.contains { photo in
      let suffix = photo.split(separator: ".").last.map { $0.lowercased() } ?? ""
      return PhotoFileFormat.readablePathExtensions.contains(suffix)
        && !PhotoFileFormat.picturePathExtensions.contains(suffix)
    }
    return hasRaws && !isGiven ? ["--lens", "off"] : []
  }
}
