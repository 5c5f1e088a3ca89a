import FrameCore

/// A camera's controls during a bracket: sets its exposures, and puts all that it changed back.
///
/// Handed over from the thread that makes it to the bracket's, and used by one at a time.
final class BracketCamera: @unchecked Sendable {
  /// What a device remembers for reconnections.
  struct Memory {
    /// Notes a value that was set.
    var note: (UInt32, Int64) -> Void = { _, _ in }
    /// Forgets the values of the bracket; those that could not be put back are to be set after a reconnection.
    var forget: (_ unrestored: [UInt32: Int64]) -> Void = { _ in }
  }

  let plan: BracketPlan
  private let driver: any ControlDriver
  private let memory: Memory
  /// Finds the device again, if it was reconnected meanwhile.
  private let reopen: () -> (any ControlDriver)?
  private let unlock: () -> Void
  private let former: ControlSet
  private var touched: Set<UInt32> = []

  /// - Throws: `SafelightError` if the device cannot expose so; then nothing was set.
  init(
    _ bracket: ExposureBracket, _ driver: any ControlDriver, memory: Memory = Memory(),
    reopen: @escaping () -> (any ControlDriver)? = { nil }, unlock: @escaping () -> Void = {}
  ) throws {
    (self.driver, self.memory, self.reopen, self.unlock) = (driver, memory, reopen, unlock)
    former = try ControlSet(driver)
    plan = try BracketPlan(bracket, for: former, device: driver.name)
  }

  /// Sets an exposure.
  ///
  /// - Returns: the values that the driver then reports.
  /// - Throws: `SafelightError` or `CaptureFailure`; then the former exposure stays.
  func set(_ index: Int) throws -> CameraValues {
    let plan = try ControlPlan(
      plan.steps[index].settings, for: try ControlSet(driver), device: driver.name)
    // Also what a failure leaves half set.
    touched.formUnion(plan.values.keys)
    touched.formUnion(plan.held.keys)
    try ControlTransaction(driver: driver, remember: memory.note).run(plan)
    return CameraValues(try ControlSet(driver))
  }

  /// Puts back what was changed, and lets others configure the device.
  ///
  /// - Throws: `SafelightError` naming what could not be put back.
  func putBack() throws {
    defer { unlock() }
    // A mode may have changed the values that it controls.
    let dependents = ControlID.automatics.filter { !touched.isDisjoint(with: $0.value) }.keys
    let values = former.settable.filter { touched.contains($0.key) || dependents.contains($0.key) }
    // A connection that comes in between has the former values too.
    memory.forget(values)
    var failed = restore(values, on: driver)
    if !failed.isEmpty, let again = reopen() { failed = restore(values, on: again) }
    let failedIDs = Set(failed)
    memory.forget(values.filter { failedIDs.contains($0.key) })
    guard !failed.isEmpty else { return }
    let names = failed.compactMap { former[$0]?.key }.joined(separator: ", ")
    throw SafelightError(
      .device, "\(driver.name) keeps the bracket’s values of \(names)",
      remedy: "connect it again, and set them with safelight devices --set")
  }

  private func restore(_ values: [UInt32: Int64], on driver: any ControlDriver) -> [UInt32] {
    ControlTransaction(driver: driver, remember: { _, _ in }).restore(values)
  }
}

extension CaptureDevice {
  /// Locks the device for a bracket, which unlocks it when it has put the controls back.
  ///
  /// - Throws: `CaptureFailure` or `SafelightError`; then nothing was set.
  func makeBracketCamera(for bracket: ExposureBracket) throws -> BracketCamera {
    let node = try open()
    let lock = try ConfigurationLock(path: node.path, name: name, patience: Self.configurationPatience)
    let before = remembered.withLock { $0 }
    do {
      return try BracketCamera(
        bracket, node,
        memory: BracketCamera.Memory(
          note: { [self] id, value in remembered.withLock { $0[id] = value } },
          forget: { [self] unrestored in
            remembered.withLock { $0 = before.merging(unrestored) { kept, _ in kept } }
          }),
        reopen: { [self] in try? open() }, unlock: { lock.release() })
    } catch {
      lock.release()
      throw error
    }
  }
}
