import Libc

/// `Shell.pipe` has the name of the system's function.
private func openPipe(_ ends: inout [Int32]) -> Int32 { pipe(&ends) }

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
    let (reader, writer) = try pipe()
    defer { close(reader) }
    let process = try spawn(["/bin/sh", "-c", line], output: writer, errors: writer)
    close(writer)
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65536)
    while case let count = read(reader, &part, part.count), count > 0 { bytes += part[..<count] }
    var status: Int32 = 0
    waitpid(process, &status, 0)
    let signal = status & 0x7F
    return (signal == 0 ? status >> 8 & 0xFF : 128 + signal, String(decoding: bytes, as: UTF8.self))
  }

  /// Starts a program without waiting for it; nil leaves it a stream of the tests.
  static func spawn(
    _ words: [String], input: Int32? = nil, output: Int32? = nil, errors: Int32? = nil
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (descriptor, number) in [(input, Int32(0)), (output, 1), (errors, 2)] {
      if let descriptor { posix_spawn_file_actions_adddup2(&actions, descriptor, number) }
    }
    // Threads that run Swift tests block signals, and a child would inherit that.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    let arguments = words.map { strdup($0) } + [nil]
    defer { for word in arguments { free(word) } }
    var process = pid_t()
    let code = posix_spawn(&process, words[0], &actions, &attributes, arguments, environ)
    guard code == 0 else {
      throw Failed(description: "\(words[0]): \(String(cString: strerror(code)))")
    }
    return process
  }

  /// A pipe that other programs do not inherit: they are to see when the tests let go of it.
  static func pipe() throws -> (reader: Int32, writer: Int32) {
    var ends: [Int32] = [0, 0]
    guard openPipe(&ends) == 0 else { throw Failed(description: "no pipe is to be had") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
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
