import Foundation

/// Compiles GLSL compute shaders to SPIR-V, checks them, and writes them into a Swift file, so that the program needs no
/// file of theirs. What the build plug-in `CompileShaders` runs.
///
///     ShaderCompiler FOLDER OUTPUT.swift
///
/// Without `glslangValidator` the file has no shaders, and a warning says so: Safelight is built for the CPU alone then.
@main
struct ShaderCompiler {
  let folder: URL

  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else { fail("Usage: ShaderCompiler FOLDER OUTPUT.swift") }
    do {
      let code = try ShaderCompiler(folder: URL(filePath: arguments[1])).swiftFile()
      try Data(code.utf8).write(to: URL(filePath: arguments[2]), options: .atomic)
    } catch {
      fail("\(error)")
    }
  }

  private static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("error: \(message)\n".utf8))
    exit(1)
  }

  private func swiftFile() throws -> String {
    var texts: [String] = []
    var calls: [String] = []
    if let compiler = Program("glslangValidator") {
      let checker = Program("spirv-val")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
        $0.hasSuffix(".comp")
      }
      for name in names.sorted() {
        var module = ShaderModule(try compile(name, with: compiler, checker))
        let shader = "    case \"\(name.dropLast(5))\": "
        if let stages = module.stageCalls() {
          calls.append(shader + "(\(stages.calls), \(stages.functions))")
        } else if try includesStages(name) {
          throw Failure(description: "\(name) calls no function stage(uint, uint, vec3)")
        }
        texts.append(shader + "#\"\(Self.text(of: module.words))\"#")
      }
    } else {
      print(
        "warning: glslangValidator is not installed, so Safelight is built without shaders and renders on the CPU "
          + "only; install glslang-tools (Debian, Ubuntu) and build again."
      )
    }
    return """
      // Made from shaders/ by ShaderCompiler.
      enum ShaderCode {
        /// SPIR-V, nil if there is no such shader. Most words are small numbers, so each is written as digits of five bits,
        /// the low ones first, from `0` on; 32 is added to digits that others follow.
        static func text(of name: String) -> StaticString? {
          switch name {
      \(texts.joined(separator: "\n"))
          default: nil
          }
        }

        /// The words at which calls of `stage` begin, and the functions that it calls for the kinds 1, 2, ….
        static func stageCalls(of name: String) -> (calls: [Int], functions: [UInt32])? {
          switch name {
      \(calls.joined(separator: "\n"))
          default: nil
          }
        }
      }

      """
  }

  /// Whether a shader colours pixels.
  private func includesStages(_ name: String) throws -> Bool {
    try String(contentsOf: folder.appending(path: name), encoding: .utf8).contains("\"stages.glsl\"")
  }

  /// - Parameter checker: `spirv-val`, which is left out where it is not installed.
  private func compile(_ name: String, with compiler: Program, _ checker: Program?) throws -> [UInt32] {
    let binary = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).spv")
    defer { try? FileManager.default.removeItem(at: binary) }
    let source = folder.appending(path: name)
    try compiler.run([
      "-V", "--target-env", "vulkan1.3", "--quiet", "-I\(folder.path)", "-o", binary.path, source.path,
    ])
    try checker?.run(["--target-env", "vulkan1.3", binary.path])
    return try Data(contentsOf: binary).withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count, by: 4).map {
        UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self))
      }
    }
  }

  private static func text(of words: [UInt32]) -> String {
    var digits: [UInt8] = []
    for word in words {
      var rest = word
      while rest >= 32 {
        digits.append(UInt8(ascii: "0") + UInt8(rest & 31) + 32)
        rest >>= 5
      }
      digits.append(UInt8(ascii: "0") + UInt8(rest))
    }
    return String(decoding: digits, as: UTF8.self)
  }
}

/// A program that a shell would find.
private struct Program {
  let url: URL

  init?(_ name: String) {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let candidates = folders.map { URL(filePath: String($0)).appending(path: name) }
    guard let url = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) }) else {
      return nil
    }
    self.url = url
  }

  func run(_ arguments: [String]) throws {
    let process = Process()
    let output = Pipe()
    process.executableURL = url
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(description: "\(url.lastPathComponent): \(text)")
    }
  }
}

private struct Failure: Error, CustomStringConvertible {
  let description: String
}
