import Files
import Synchronization

/// The name planner, shared with the worker threads.
final class SharedNamePlanner: Sendable {
  private let planner: Mutex<BatchNamePlanner>

  init(_ planner: sending BatchNamePlanner) { self.planner = Mutex(planner) }

  func items(
    for photos: [BatchInputs.Photo], examining editor: (any BatchEditor)?,
    while goesOn: (_ named: Int) -> Bool = { _ in true }
  ) -> [BatchNaming.Item] {
    planner.withLock { $0.items(for: photos, examining: editor, while: goesOn) }
  }
  func rename(_ item: BatchNaming.Item) -> String { planner.withLock { $0.rename(item) } }
  func isOriginal(_ file: FileIdentity) -> Bool { planner.withLock { $0.isOriginal(file) } }
  func isOtherInput(_ file: FileIdentity) -> Bool { planner.withLock { $0.isOtherInput(file) } }
}
