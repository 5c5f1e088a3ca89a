import FrameCore

/// For callers that are not asynchronous.
extension CaptureSession {
  /// Waits until the session's queue has a thread: its work may then wait long for a device.
  ///
  /// - Parameter begun: called then; see `Blocking`.
  package func reach(_ begun: Blocking.Begun) async {
    _ = await configuration
    begun()
  }

  /// Stops the session, and returns once it has stopped. Without a thread for that, it ends with its last reference.
  package func stopAndWait() {
    _ = try? Blocking { begun in
      await self.reach(begun)
      await self.stop()
    }.wait()
  }
}
