import FrameCore
import TestSupport
import Testing

@testable import Capture

@Suite("The session that an output belongs to")
struct SessionClaimTests {
  private final class Session {}

  @Test("One has it until it lets go, and only its owner can")
  func ownership() throws {
    let (one, other) = (Session(), Session())
    var claim = SessionClaim()
    try claim.claim(by: ObjectIdentifier(one))
    try claim.claim(by: ObjectIdentifier(one))
    claim.release(by: ObjectIdentifier(other))
    #expect(
      message { try claim.claim(by: ObjectIdentifier(other)) }
        == "The output belongs to another session; "
        + "remove it there first, or make an output for each session.")
    #expect(
      message { try claim.claim(by: ObjectIdentifier(other), of: "movie", another: "one") }
        == "The movie belongs to another session; remove it there first, or make one for each session.")
    claim.release(by: ObjectIdentifier(one))
    try claim.claim(by: ObjectIdentifier(other))
  }
}
