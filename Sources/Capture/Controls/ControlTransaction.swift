import FrameCore

/// Sets several controls, or none.
struct ControlTransaction {
  let driver: any ControlDriver
  /// Is told each control and the value that it was set to.
  let remember: (UInt32, Int64) -> Void

  /// Sets the values of a plan. If one is refused, those set before it get their former values back.
  ///
  /// - Throws: what setting a control throws; if putting back fails too, the remedy names the controls that have
  ///   new values.
  func run(_ plan: ControlPlan) throws {
    var done: [UInt32] = []
    do {
      for id in ControlOrder.sorted(plan.values) {
        guard let value = plan.values[id], let control = plan.controls[id] else { continue }
        try driver.set(control, to: value)
        done.append(id)
      }
      for (id, value) in plan.held.sorted(by: { $0.key < $1.key }) {
        guard plan.values[id] == nil, let control = try driver.control(id), !control.isInactive,
          control.value != value
        else { continue }
        try driver.set(control, to: value)
        done.append(id)
      }
    } catch {
      try putBack(done, from: plan.controls, after: error)
    }
    for id in done {
      guard let value = plan.values[id] ?? plan.held[id], plan.controls[id]?.kind != .button else { continue }
      remember(id, value)
    }
  }

  private func putBack(_ ids: [UInt32], from before: ControlSet, after error: any Error) throws {
    let settable = before.settable
    // An automatic mode may have changed what depends on it before it was turned off again.
    let dependents = ControlID.automatics.filter { !$0.value.allSatisfy { id in !ids.contains(id) } }.keys
    let touched = settable.filter { ids.contains($0.key) || dependents.contains($0.key) }
    let failed = restore(touched)
    guard !failed.isEmpty, let error = error as? SafelightError else { throw error }
    let names = failed.compactMap { before[$0]?.key }.joined(separator: ", ")
    throw SafelightError(
      error.code, error.problem,
      remedy: error.remedy + (error.remedy.isEmpty ? "" : "; ") + "\(names) could not be put back")
  }

  /// Gives controls their former values, as far as they differ and the driver lets it.
  ///
  /// A value whose automatic mode is on, and was, is left to the mode.
  ///
  /// - Returns: the controls that have other values.
  func restore(_ values: [UInt32: Int64]) -> [UInt32] {
    ControlOrder.sorted(values).filter { id in
      guard let value = values[id], let control = try? driver.control(id) else { return true }
      if control.value == value || control.isInactive { return false }
      return driver.write(value, to: control) != 0
    }
  }
}
