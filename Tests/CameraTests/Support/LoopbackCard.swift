import Capture
import FrameCore
import Libc

/// The card of the kernel's snd-aloop driver: what is played on its device 0 is recorded on device 1.
///
/// Source: the kernel's sound/drivers/aloop.c.
enum LoopbackCard {
  static let microphoneID = "snd_aloop.0#1"
  static let loudspeakerID = "snd_aloop.0#0"

  static var microphone: AudioDevice { get throws { try AudioDevice.device(microphoneID, .capture) } }
  static var loudspeaker: AudioDevice { get throws { try AudioDevice.device(loudspeakerID, .playback) } }

  /// Begins to take the driver off the card, as if it were unplugged: its nodes go, and who has it open
  /// learns it. Ends when nobody has it open any more.
  ///
  /// - Returns: the process that waits for that.
  static func unbind() throws -> pid_t {
    try Shell.spawn(["/bin/sh", "-c", "echo snd_aloop.0 >/sys/bus/platform/drivers/snd_aloop/unbind"])
  }

  /// Gives the card back to the driver.
  static func bind() throws { try Shell.write("snd_aloop.0", to: "/sys/bus/platform/drivers/snd_aloop/bind") }

  /// Lets a second of the recording device's clock last `rate` hundred-thousandths of a second,
  /// 80,000…120,000.
  static func shiftRate(to rate: Int) throws {
    try Shell.run("amixer -q -c Loopback cset iface=PCM,name='PCM Rate Shift 100000',device=1 \(rate)")
  }

  /// Starts a program of alsa-utils; the caller ends it.
  static func start(_ line: String) throws -> pid_t {
    let log = open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(log) }
    return try Shell.spawn(
      ["/usr/bin/" + line.split(separator: " ")[0]] + line.split(separator: " ").dropFirst().map(String.init),
      output: log, errors: log)
  }

  static func end(_ process: pid_t) {
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
  }

  /// A folder with a file of sound in which each frame holds its number: 16 bits in mono, modulo 2¹⁵.
  static func ramp(seconds: Int) throws -> String {
    let path = try Shell.run("mktemp").split(separator: "\n")[0]
    var bytes: [UInt8] = []
    for frame in 0..<48_000 * seconds {
      bytes.append(UInt8(truncatingIfNeeded: frame))
      bytes.append(UInt8(truncatingIfNeeded: frame >> 8) & 0x7F)
    }
    guard let file = fopen(String(path), "wb") else { throw Shell.Failed(description: "no file for a ramp") }
    defer { fclose(file) }
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else {
      throw Shell.Failed(description: "the ramp cannot be written")
    }
    return String(path)
  }
}
