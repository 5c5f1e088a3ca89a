import ArgumentParser
import Safelight

extension CaptureCommand {
  /// Whether photos are to be digital negatives.
  var isDNG: Bool { results.format == .dng || PhotoNames.isDNG(output) }

  /// Rejects what a digital negative cannot be: it is the samples of one frame as the sensor gave them.
  func checkDNG() throws {
    guard isDNG else { return }
    if let format = results.format.fileFormat {
      throw ValidationError(
        "--format asks for \(format.name), but \(output) is the name of a DNG; leave the flag out, or give another name."
      )
    }
    if let named = try? PhotoFileFormat(forWritingTo: output) {
      throw ValidationError(
        "--format asks for a DNG, but \(output) is the name of a \(named.name) file; leave the flag out, or give a name with .dng."
      )
    }
    guard edit.asked.isEmpty || recipeOnly else {
      throw ValidationError(
        "A DNG holds the sensor's own samples, to which no edit can be applied; add --recipe-only to keep the edit beside it, or choose another --format."
      )
    }
    guard !keepOriginal else {
      throw ValidationError("A DNG is the unedited photo itself; leave --keep-original out.")
    }
    guard !shutter.deferred, shutter.bracket == nil || !shutter.fuse else {
      let flag = shutter.deferred ? "--deferred" : "--fuse"
      throw ValidationError(
        "A DNG holds the samples of one frame, and \(flag) makes a photo of several; leave one of them out.")
    }
    guard shutter.qualityPriority != .quality else {
      throw ValidationError(
        "A DNG holds the samples of one frame, and --quality-priority quality merges several; give speed or balanced."
      )
    }
    let useless = results.givenNames.filter { $0 != "--format" }
    guard useless.isEmpty else {
      throw ValidationError(
        "A DNG holds the sensor's own samples, which \(useless.joined(separator: ", ")) cannot change; leave that out, or choose another --format."
      )
    }
    guard let format = input.format else { return }
    guard case .bayer = format.captureEncoding else {
      throw ValidationError(
        "A DNG is made of a sensor's mosaic, which --source-format does not ask for; give bayer, or leave it out."
      )
    }
  }

  /// - Throws: `SafelightError` if the source has no sensor whose samples could be had.
  func checkSource(_ input: any CaptureInput) throws {
    guard isDNG, !(input is DeviceInput) else { return }
    throw SafelightError(
      .unsupported, "\(input.name) sends finished pictures, and a DNG is made of a sensor's mosaic",
      remedy: "use a camera that delivers Bayer formats (safelight devices), or another --format")
  }
}
