import LibraryTestSupport
import Safelight
import Testing

@testable import Studio

@Suite("Proofs in the studio")
struct StudioProofTests {
  private static let view = #""width": 150, "height": 100, "mode": "fit""#
  private static let edit = #"{"values": {"saturation": 80}}"#

  /// A device with a third of the colours of sRGB.
  private func device() throws -> SoftProof {
    let primaries = RGBPrimaries(
      red: Chromaticity(x: 0.45, y: 0.33), green: Chromaticity(x: 0.31, y: 0.44),
      blue: Chromaticity(x: 0.24, y: 0.22), white: .d65)
    let space = ColorSpace(name: "Newsprint", primaries: primaries, transfer: .sRGB)
    return try SoftProof(profile: space.iccProfile(), file: "newsprint.icc")
  }

  private func shown(_ visit: Visit, _ view: String) throws -> PixelBuffer {
    visit.open(view: view)
    visit.edit(Self.edit, input: 1, dragging: false)
    let frame = try #require(visit.peer.next("frame") { $0.isFinal && $0.number("input") == 1 })
    try visit.scratch.write(frame.payload, to: "frame.jpg")
    return try Photo(contentsOf: visit.scratch("frame.jpg")).buffer
  }

  @Test("are what an export with the same profile is, and the photo itself is there as before")
  func proof() throws {
    let visit = try Visit(proof: device())
    let welcome = try #require(visit.peer.next("welcome"))
    guard case .object(let told)? = welcome.fields["proof"] else { throw Problem.missing }
    #expect(told["name"] == .string("Newsprint") && told["gamutWarning"] == .bool(false))
    var export = PhotoExport()
    export.maximumSize = PixelSize(width: 150, height: 100)
    func exported(_ proof: SoftProof?) throws -> PixelBuffer {
      export.proof = proof
      let scratch = try Scratch()
      _ = try export.runBlocking(
        visit.photos.entries[0].path, through: Recipe { Saturation(80) }, to: scratch("out.png"))
      return try Photo(contentsOf: scratch("out.png")).buffer
    }
    var marked = try device()
    marked.marksGamut = true
    let (plain, proofed, warned) = (try exported(nil), try exported(device()), try exported(marked))
    #expect(meanDifference(plain, proofed) > 8 && meanDifference(proofed, warned) > 8)
    let views = [
      (Self.view, plain), (Self.view + #", "proof": true"#, proofed),
      (Self.view + #", "proof": true, "gamutWarning": true"#, warned),
    ]
    for (view, wanted) in views {
      let found = try shown(try Visit(proof: device()), view)
      #expect(meanDifference(found, wanted) < 2.5, "\(view)")
    }
  }

  @Test("need a profile that the studio was started with")
  func missing() throws {
    let visit = try Visit()
    #expect(try #require(visit.peer.next("welcome")).fields["proof"] == nil)
    visit.open(view: Self.view + #", "proof": true"#)
    #expect(visit.peer.isTold("start it with --proof FILE.icc"))
  }

  private enum Problem: Error { case missing }
}
