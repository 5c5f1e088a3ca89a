import FrameCore
import Rendering

/// The owner of each of a device's lanes: nobody, a thread, or the device.
///
/// At most `count` lanes have frames in flight. A thread that needs another lane first finishes the oldest frame,
/// whoever submitted it. Allocates nothing for frames that do not fail.
final class LanePool: FrameInFlight {
  /// The processor fills one lane, the device works on the second, and the third is being read back.
  static let count = 3

  private enum Phase {
    case idle
    /// Owned by a thread.
    case taken
    /// Owned by the device; its frame must be waited for.
    case underWay
  }

  private struct Slot {
    var phase = Phase.idle
    /// The ticket of the lane's last frame; 0 if that is forgotten.
    var ticket: UInt64 = 0
    /// The bytes of device memory that the lane holds.
    var held = 0
  }

  /// A frame that failed, kept for the thread that waits for it.
  struct FailedFrame {
    let job: LaneJob
    let failure: VulkanFailure
  }

  private struct State {
    var slots = [Slot](repeating: Slot(), count: LanePool.count)
    var lastTicket: UInt64 = 0
    var failed: [UInt64: FailedFrame] = [:]

    /// The oldest frame in flight in the first `count` lanes.
    func oldest(among count: Int) -> Int? {
      var found: Int?
      var index = 0
      while index < count {
        if slots[index].phase == .underWay, slots[index].ticket < found.map({ slots[$0].ticket }) ?? .max {
          found = index
        }
        index += 1
      }
      return found
    }

    func idle(among count: Int) -> Int? {
      var index = 0
      while index < count {
        if slots[index].phase == .idle { return index }
        index += 1
      }
      return nil
    }

    func slot(of ticket: UInt64) -> Int? {
      var index = 0
      while index < slots.count {
        if slots[index].ticket == ticket { return index }
        index += 1
      }
      return nil
    }
  }

  private let lanes: [FrameLane]
  private let state = Monitor(State())

  init(_ device: DeviceHandle) throws {
    lanes = try (0..<Self.count).map { _ in try FrameLane(device) }
  }

  /// The bytes of device memory that all lanes hold.
  var heldBytes: Int { state.read { $0.slots.reduce(0) { $0 + $1.held } } }

  /// Calls `body` with a lane, which `body` submits to the device.
  ///
  /// - Parameters:
  ///   - count: the number of lanes that may be used; those after them release their memory.
  ///   - bytes: the bytes of device memory that the lane may hold.
  /// - Returns: the ticket of the frame.
  func fly(among count: Int, keeping bytes: Int, _ body: (FrameLane) throws -> Void) throws -> UInt64 {
    let index = take(among: count, keeping: bytes)
    do {
      try body(lanes[index])
    } catch {
      giveBack(index)
      throw error
    }
    let held = lanes[index].heldBytes
    return state.update { state in
      state.lastTicket += 1
      state.slots[index] = Slot(phase: .underWay, ticket: state.lastTicket, held: held)
      return state.lastTicket
    }
  }

  /// Calls `body` with the first lane, for work that takes many steps.
  func borrow<Value>(keeping bytes: Int, _ body: (FrameLane) throws -> Value) throws -> Value {
    let index = take(among: 1, keeping: bytes)
    defer { giveBack(index) }
    return try body(lanes[index])
  }

  /// Releases the memory of all lanes once their frames are done.
  func releaseMemory() { drain(from: 0) }

  private func take(among count: Int, keeping bytes: Int) -> Int {
    let (index, isUnderWay) = state.wait { state -> (Int, Bool)? in
      if let idle = state.idle(among: count) {
        state.slots[idle].phase = .taken
        state.slots[idle].ticket = 0
        return (idle, false)
      }
      guard let oldest = state.oldest(among: count) else { return nil }
      state.slots[oldest].phase = .taken
      return (oldest, true)
    }
    if isUnderWay { finish(index, forgetting: true) }
    lanes[index].limit = bytes
    if lanes[index].heldBytes > bytes { lanes[index].releaseMemory() }
    if count < Self.count { drain(from: count) }
    return index
  }

  /// Avoids deadlock: a thread waits only for lanes after those that it owns.
  private func drain(from first: Int) {
    var index = first
    while index < Self.count {
      let isUnderWay = state.wait { state -> Bool? in
        let phase = state.slots[index].phase
        guard phase != .taken else { return nil }
        state.slots[index].phase = .taken
        return phase == .underWay
      }
      if isUnderWay { finish(index, forgetting: true) }
      lanes[index].releaseMemory()
      giveBack(index)
      index += 1
    }
  }

  private func giveBack(_ index: Int) {
    let held = lanes[index].heldBytes
    state.update { state in
      state.slots[index].phase = .idle
      state.slots[index].held = held
    }
  }

  /// Finishes the frame in a lane that this thread owns; keeps its failure for the thread that waits for it.
  private func finish(_ index: Int, forgetting forgets: Bool) {
    let failed = lanes[index].complete()
    state.update { state in
      if let (job, failure) = failed {
        state.failed[state.slots[index].ticket] = FailedFrame(job: job, failure: failure)
      }
      // The times that a lane has after a failure are not those of the frame.
      if forgets || failed != nil { state.slots[index].ticket = 0 }
    }
  }

  /// Returns when the frame is done.
  ///
  /// - Returns: the frame, if it failed.
  func finish(ticket: UInt64) -> FailedFrame? {
    let index = state.wait { state -> Int? in
      guard let index = state.slot(of: ticket) else { return -1 }
      switch state.slots[index].phase {
      case .idle: return -1
      case .taken: return nil
      case .underWay:
        state.slots[index].phase = .taken
        return index
      }
    }
    if index >= 0 {
      finish(index, forgetting: false)
      giveBack(index)
    }
    return state.update { $0.failed.isEmpty ? nil : $0.failed.removeValue(forKey: ticket) }
  }

  // MARK: For users

  func wait(for ticket: UInt64) throws {
    guard let failed = finish(ticket: ticket) else { return }
    try failed.job.plan.renderer.recover(failed)
  }

  func times(of ticket: UInt64) -> FrameTimes? {
    state.read { state in
      guard let index = state.slot(of: ticket), state.slots[index].phase == .idle else { return nil }
      return lanes[index].lastTimes
    }
  }
}
