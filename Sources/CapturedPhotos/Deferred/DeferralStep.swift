/// The points of the protocol between which a process may end: a test ends it at each.
enum DeferralStep: Sendable, Hashable, CaseIterable {
  // As a photo is deferred.
  case folderMade, framesWritten, proxiesWritten, manifestWritten, originalProxyPlaced, proxyPlaced
  // As it is finished.
  case finalsWritten, finalsNoted, originalPlaced, photoPlaced, sidecarChanged
}

/// Called at each step.
struct DeferralProbe: Sendable {
  /// Stands for the end of the process: nothing is cleaned up after it.
  struct Ended: Error {}

  var reached: @Sendable (DeferralStep) throws -> Void = { _ in }
}
