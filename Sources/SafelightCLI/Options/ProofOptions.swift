import ArgumentParser
import Safelight

extension SoftProof.Intent: ExpressibleByArgument {}

/// The options that show a result as a printer would reproduce it.
struct ProofOptions: ParsableArguments {
  @Option(
    name: .customLong("proof"),
    help: ArgumentHelp(
      "Show the picture as the device of this ICC profile would reproduce it, to be judged on a screen",
      valueName: "profile.icc"), completion: .file(extensions: ["icc", "icm"]))
  var file: String?

  @Option(
    help: ArgumentHelp(
      "With --proof, how colours that the device lacks become others (default: relative)",
      valueName: "intent"))
  var intent: SoftProof.Intent?

  @Flag(
    help: "With --proof, show white as the colour of the paper, and black as that of the ink")
  var proofPaper = false

  @Flag(help: "With --proof, show colours that the device cannot reproduce as grey")
  var gamutWarning = false

  mutating func validate() throws {
    guard file == nil else { return }
    let given = [("intent", intent != nil), ("proof-paper", proofPaper), ("gamut-warning", gamutWarning)]
    if let first = given.first(where: \.1)?.0 {
      throw ValidationError("--\(first) has no effect without --proof; give both or neither.")
    }
  }

  /// Tells what part of a picture, 0…1, is beyond the device's gamut.
  func sentence(on share: Double) -> String {
    let percent = share > 0 && share < 0.001 ? "less than 0.1" : PlainNumber.fixed(100 * share, 1)
    return "\(percent) % of the picture is beyond what \((file ?? "").fileName) reproduces"
  }

  /// The proof that the options ask for; nil if there is none.
  func proof() throws -> SoftProof? {
    guard let file else { return nil }
    let bytes = try FileContents.read(file)
    var proof = try SoftProof(profile: ICCProfileData(bytes), file: file, intent: intent ?? .relative)
    (proof.simulatesPaper, proof.marksGamut) = (proofPaper, gamutWarning)
    return proof
  }
}
