#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Other programs, such as `v4l2-ctl`: what tests compare with, and what they disturb devices with.
enum Shell {
  struct Failed: Error, CustomStringConvertible {
    let description: String
  }

  /// Runs a line of `sh` and returns what it prints, errors included.
  ///
  /// - Throws: `Failed` where it ends with another status than 0.
  @discardableResult
  static func run(_ line: String) throws -> String {
    let (status, output) = try outcome(line)
    guard status == 0 else { throw Failed(description: "\(line): status \(status): \(output)") }
    return output
  }

  /// Runs a line of `sh`; the status is 128 and the signal's number where a signal ended it.
  static func outcome(_ line: String) throws -> (status: Int32, output: String) {
    guard let pipe = popen("exec 2>&1; " + line, "r") else { throw Failed(description: "no shell") }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65536)
    while case let count = fread(&part, 1, part.count, pipe), count > 0 { bytes += part[..<count] }
    let status = pclose(pipe)
    let signal = status & 0x7F
    return (signal == 0 ? status >> 8 & 0xFF : 128 + signal, String(decoding: bytes, as: UTF8.self))
  }

  /// The bytes of a file, such as what `v4l2-ctl` recorded.
  static func bytes(of path: String) throws -> [UInt8] {
    guard let file = fopen(path, "rb") else { throw Failed(description: "\(path) cannot be read") }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 20)
    while case let count = fread(&part, 1, part.count, file), count > 0 { bytes += part[..<count] }
    return bytes
  }

  /// Writes a line to a file of the kernel's.
  static func write(_ line: String, to path: String) throws {
    guard let file = fopen(path, "w") else { throw Failed(description: "\(path) cannot be written") }
    let isWritten = fputs(line + "\n", file) >= 0
    guard fclose(file) == 0, isWritten else {
      throw Failed(description: "\(path) does not take \(line): \(String(cString: strerror(errno)))")
    }
  }
}
