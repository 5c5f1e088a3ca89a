import Testing
import Libc

/// The virtual machine that these tests run in, as `Tests/CameraVM/run-tests` describes it to them.
enum Guest {
  /// The kernel's drivers of cameras and sound, one of which the machine was booted with.
  enum Driver: String {
    /// Cameras that draw test pictures and can be told to fail.
    case vivid
    /// USB cameras; one is emulated.
    case uvc
    /// Devices that show one program what another writes.
    case loopback
    /// A sound card whose loudspeaker is its microphone.
    case sound
  }

  static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  static var driver: Driver? { variable("SAFELIGHT_CAMERA_DRIVER").flatMap(Driver.init) }

  /// Frames for the emulated camera, made by `make-jpegs`.
  static var jpegs: String { variable("SAFELIGHT_CAMERA_JPEGS") ?? "" }

  /// The folder with Package.swift, found from this file.
  static let package = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
    .joined(separator: "/")

  /// `safelight`, which the build puts beside the tests.
  static var program: String {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &path, path.count - 1)
    let tests = String(decoding: path.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return tests.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
      + "/safelight"
  }

  /// Waits for something that takes the kernel or another program a moment.
  ///
  /// - Throws: `Expired` when `condition` does not hold within `seconds`, which are many: the machine is emulated.
  static func wait(
    for what: String, seconds: Int = 120, _ condition: () async throws -> Bool
  ) async throws {
    let end = ContinuousClock.now + .seconds(seconds)
    repeat {
      if try await condition() { return }
      try await Task.sleep(for: .milliseconds(20))
    } while ContinuousClock.now < end
    throw Expired(description: "\(what): not within \(seconds) s")
  }

  struct Expired: Error, CustomStringConvertible {
    let description: String
  }
}

extension Trait where Self == ConditionTrait {
  /// Runs where the machine was booted with `driver`, and shows as skipped elsewhere.
  static func driver(_ driver: Guest.Driver) -> Self {
    .enabled(
      if: Guest.driver == driver,
      "needs the kernel's \(driver.rawValue) driver in the virtual machine of `make test-camera`")
  }
}
