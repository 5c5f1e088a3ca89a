import CMySofa
import FrameCore

/// What the two ears of a head hear of each direction (HRTF), from a SOFA file read by libmysofa.
///
/// Used to design filters, not in a stream. One owner at a time.
public final class HeadResponses {
  /// An impulse response of each ear, of the same length.
  public struct Ears: Sendable, Hashable {
    public var left: [Float]
    public var right: [Float]
  }

  /// Where Debian and Ubuntu install the default: MIT's KEMAR, a mannequin.
  public static let defaultPath = "/usr/share/libmysofa/default.sofa"

  public let path: String
  public let sampleRate: Int
  private let handle: OpaquePointer
  private let length: Int

  /// Later than this is no sound that passes a head, in seconds.
  private static let longestDelay: Float = 0.02

  /// Reads a file and resamples it.
  ///
  /// - Parameters:
  ///   - path: A SOFA file of the convention SimpleFreeFieldHRIR (AES69).
  ///   - sampleRate: 8000…192000 Hz.
  /// - Throws: `SafelightError` with the package that is missing, or the reason why the file cannot be used.
  public init(path: String = defaultPath, sampleRate: Int) throws {
    guard (8000...192_000).contains(sampleRate) else {
      throw SafelightError(
        .invalidValue, "Binaural sound of \(sampleRate) Hz is outside 8000…192000", remedy: "use 48000 Hz")
    }
    try Self.requireLibrary()
    var handle: OpaquePointer?
    var status = CMYSOFA_OUT_OF_MEMORY
    let reason = Self.message { status = cmysofa_open(path, Float(sampleRate), &handle, $0) }
    switch status {
    case CMYSOFA_READ: break
    case CMYSOFA_NO_FILE: throw Self.missing(path)
    case CMYSOFA_NOT_USABLE:
      throw SafelightError(
        .corruptData, "“\(path)” cannot be used for binaural sound: \(reason)",
        remedy: "give a SOFA file of the convention SimpleFreeFieldHRIR")
    default: throw Self.noMemory
    }
    guard let handle else { throw Self.noMemory }
    self.handle = handle
    self.path = path
    self.sampleRate = sampleRate
    length = Int(cmysofa_length(handle))
    // A second of response belongs to a room, and would cost more than monitoring may.
    guard length <= sampleRate / 4 else {
      cmysofa_close(handle)
      throw SafelightError(
        .unsupported, "The responses in “\(path)” are longer than a quarter of a second",
        remedy: "give those of a head in a free field, not of a room")
    }
  }

  deinit { cmysofa_close(handle) }

  /// Returns the responses to a source, interpolated between those measured.
  ///
  /// - Throws: `SafelightError` if the file holds values that are no response.
  public func responses(to direction: Direction) throws -> Ears {
    let u = SIMD3<Float>(direction.unitVector)
    var ears = Ears(left: [Float](repeating: 0, count: length), right: [Float](repeating: 0, count: length))
    var (left, right): (Float, Float) = (0, 0)
    cmysofa_response(handle, u.x, u.y, u.z, &ears.left, &ears.right, &left, &right)
    let delays = 0...Self.longestDelay
    // Some files have small negative rounding.
    (left, right) = (abs(left) < 1e-7 ? 0 : left, abs(right) < 1e-7 ? 0 : right)
    guard delays.contains(left), delays.contains(right), ears.left.allSatisfy(\.isFinite),
      ears.right.allSatisfy(\.isFinite)
    else {
      throw SafelightError(
        .corruptData, "“\(path)” holds values that are no responses of ears", remedy: "use another file")
    }
    guard left > 0 || right > 0 else { return ears }
    let room = length + Int(max(left, right) * Float(sampleRate)) + 17
    func delayed(_ samples: [Float], _ seconds: Float) -> [Float] {
      DesignSpectrum.delayed(samples, by: Double(seconds) * Double(sampleRate), room: room)
    }
    return Ears(left: delayed(ears.left, left), right: delayed(ears.right, right))
  }

  /// Returns the responses to a source; those of a symmetric head are the same on both sides.
  ///
  /// Between measurements, libmysofa interpolates between neighbours, and where two are as near it takes the
  /// same one for both sides: a quarter of the response's level differed at the corners of a cube.
  func evenResponses(to direction: Direction) throws -> Ears {
    let own = try responses(to: direction)
    guard try isSymmetric else { return own }
    let mirrored = try responses(to: Direction(azimuth: -direction.azimuth, elevation: direction.elevation))
    func mean(_ a: [Float], _ b: [Float]) -> [Float] {
      // Delays may differ in their length.
      (0..<max(a.count, b.count)).map { ((a.indices ~= $0 ? a[$0] : 0) + (b.indices ~= $0 ? b[$0] : 0)) / 2 }
    }
    return Ears(left: mean(own.left, mirrored.right), right: mean(own.right, mirrored.left))
  }

  /// Whether the two sides of the head are alike, as those of mannequins are made.
  private var isSymmetric: Bool {
    get throws {
      for azimuth in stride(from: 0.0, through: 180, by: 30) {
        let (left, right) = (
          try responses(to: Direction(azimuth: azimuth)), try responses(to: Direction(azimuth: -azimuth))
        )
        guard left.left.count == right.right.count else { return false }
        var (difference, level): (Float, Float) = (0, 0)
        for (a, b) in zip(left.left, right.right) {
          difference += (a - b) * (a - b)
          level += a * a
        }
        guard difference <= 1e-6 * level else { return false }
      }
      return true
    }
  }

  private static func requireLibrary() throws {
    var isThere = false
    let reason = message { isThere = cmysofa_start($0) }
    guard !isThere else { return }
    throw SafelightError(
      .missingLibrary, "Binaural sound needs libmysofa, which cannot be opened (\(reason))",
      remedy: "install it (Debian and Ubuntu: apt-get install libmysofa1)")
  }

  private static func missing(_ path: String) -> SafelightError {
    SafelightError(
      .file, "“\(path)” cannot be opened",
      remedy: path == defaultPath
        ? "install it (Debian and Ubuntu: apt-get install libmysofa1), or give a SOFA file"
        : "give the path of a SOFA file that may be read")
  }

  private static let noMemory = SafelightError(
    .noMemory, "The memory of the machine is exhausted", remedy: "close other programs")

  private static func message(_ body: (UnsafeMutablePointer<CChar>) -> Void) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(CMYSOFA_MESSAGE_BYTES)) { buffer in
      guard let text = buffer.baseAddress else { return "" }
      text.pointee = 0
      body(text)
      return String(cString: text)
    }
  }
}
