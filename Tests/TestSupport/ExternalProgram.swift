import FoundationEssentials
import Testing

/// A program of others, found in PATH: what our files and numbers are compared with.
package struct ExternalProgram: Sendable {
  package let name: String
  /// The package of Debian that it is in.
  package let debianPackage: String

  package init(_ name: String, debianPackage: String) {
    (self.name, self.debianPackage) = (name, debianPackage)
  }

  package static let chromium = ExternalProgram("chromium", debianPackage: "chromium")
  package static let exiftool = ExternalProgram("exiftool", debianPackage: "libimage-exiftool-perl")
  package static let ffmpeg = ExternalProgram("ffmpeg", debianPackage: "ffmpeg")
  package static let ffprobe = ExternalProgram("ffprobe", debianPackage: "ffmpeg")
  package static let glslangValidator = ExternalProgram("glslangValidator", debianPackage: "glslang-tools")
  package static let mount = ExternalProgram("mount", debianPackage: "mount")
  package static let umount = ExternalProgram("umount", debianPackage: "mount")

  /// How long a run may take, in seconds.
  package static let patience = 300

  /// Where it is; nil if it is not installed.
  package var path: String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { "\($0)/\(name)" }.first(where: FileManager.default.isExecutableFile(atPath:))
  }

  package var isAvailable: Bool { path != nil }

  /// Why what needs it is skipped.
  package var absence: String { "\(name) is not installed; it is in Debian's package \(debianPackage)" }

  /// Runs it to its end, which must be a success.
  ///
  /// - Throws: `ChildProcess.Failed`, with its complaints, if it is missing, fails or takes too long.
  @discardableResult
  package func run(
    _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:],
    seconds: Int = Self.patience
  ) throws -> ChildProcess.Outcome {
    let outcome = try attempt(arguments, input: input, environment: environment, seconds: seconds)
    guard outcome.status == 0 else {
      throw failed(arguments, "status \(outcome.status): \(outcome.errorText)\(outcome.text.suffix(2000))")
    }
    return outcome
  }

  /// Runs it to its end, whatever its status is.
  ///
  /// - Parameters:
  ///   - input: what it reads; nothing if empty.
  ///   - environment: variables besides those of the tests, or instead of them.
  ///   - mergesErrors: whether its errors come with its output.
  /// - Throws: `ChildProcess.Failed` if it is missing or takes too long.
  package func attempt(
    _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:],
    mergesErrors: Bool = false, seconds: Int = Self.patience
  ) throws -> ChildProcess.Outcome {
    let child = try start(arguments, input, environment, mergesErrors: mergesErrors)
    do {
      return try child.wait(seconds: seconds)
    } catch let error as ChildProcess.Failed {
      throw failed(arguments, error.description)
    }
  }

  /// Returns what it prints, its errors too, whatever its status is.
  ///
  /// - Parameter text: a program that does not end by itself is ended when it has printed this.
  package func transcript(_ arguments: [String], until text: String? = nil) throws -> String {
    guard let text else { return try attempt(arguments, mergesErrors: true).text }
    return try start(arguments, [], [:], mergesErrors: true).wait(until: text, seconds: Self.patience).text
  }

  private func start(
    _ arguments: [String], _ input: [UInt8], _ environment: [String: String], mergesErrors: Bool
  ) throws -> ChildProcess {
    guard let path else { throw ChildProcess.Failed(description: absence) }
    return try ChildProcess(
      path, arguments, environment: ProcessInfo.processInfo.environment.merging(environment) { $1 },
      input: input, mergesErrors: mergesErrors, hasOwnGroup: true)
  }

  private func failed(_ arguments: [String], _ reason: String) -> ChildProcess.Failed {
    ChildProcess.Failed(description: "\(name) \(arguments.joined(separator: " ")): \(reason)")
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips what needs programs where one is not installed.
  package static func installed(_ programs: ExternalProgram...) -> Self {
    let missing = programs.filter { !$0.isAvailable }
    return .enabled(
      if: missing.isEmpty, Comment(rawValue: missing.map(\.absence).joined(separator: ", and ")))
  }
}
