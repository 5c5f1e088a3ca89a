import LibraryTestSupport
import Safelight
import FrameCore
import TestSupport
import Testing

@testable import BatchEditing

@Suite("The state machine of a batch, at random")
struct BatchStateMachineRandomTests {
  private func item(_ index: Int, _ name: String, _ decision: BatchNaming.Decision) -> BatchNaming.Item {
    BatchNaming.Item(
      photo: BatchInputs.Photo(path: "in/\(name)"), index: index, output: name, decision: decision)
  }

  @Test("No result is at two workers, every photo has one fate, and workers all end")
  func randomEvents() {
    var problems: [String] = []
    func check(_ condition: Bool, _ what: @autoclosure () -> String) {
      if !condition, problems.count < 5 { problems.append(what()) }
    }
    for seed in 0..<300 {
      var random = SeededRandom(seed: UInt64(seed))
      let watches = seed % 2 == 0
      var machine = BatchStateMachine()
      machine.begin(takesMore: watches)
      var (works, hasEnded) = ([BatchStateMachine.Work?](repeating: nil, count: 3), [false, false, false])
      var (count, ended, left) = (0, 0, 0)
      var names: [Int: Set<String>] = [:]
      func add() {
        count += 1
        let name = ["a", "b", "c", "d", "e", "f", "g", "h"][Int(random.next() % 8)]
        machine.add([item(count, name, random.next() % 5 == 0 ? .skip("It is there") : .edit)])
      }
      func act(_ worker: Int) {
        guard !hasEnded[worker] else { return }
        if let work = works[worker].take() {
          names[worker] = nil
          if random.next() % 8 == 0 {
            machine.left(work, output: work.item.output)
            left += 1
          } else {
            machine.finished(work, BatchReport.Entry(work.item, status: .done))
            ended += 1
          }
        }
        switch machine.next() {
        case .edit(let work):
          works[worker] = work
          check(machine.mayBegin, "a photo is begun after the end")
          if case .edit = work.item.decision {
            let isFree = names.values.allSatisfy { !$0.contains(work.item.output) }
            check(isFree, "\(work.item.output) is at two workers")
            names[worker] = [work.item.output]
            if random.next() % 4 == 0 {
              machine.renamed(work, to: "new \(work.item.index)")
              names[worker]?.insert("new \(work.item.index)")
            }
          }
        case .wait:
          let isBusy = works.contains { $0 != nil }
          check(machine.isOpen || isBusy && !machine.pending.isEmpty, "a worker waits for nothing")
        case .end: hasEnded[worker] = true
        }
      }
      if !watches { for _ in 0..<20 { add() } }
      for _ in 0..<120 {
        switch random.next() % 32 {
        case 0 where seed % 7 == 0: machine.stop()
        case 1 where seed % 11 == 0: machine.end(because: SafelightError(.noSpace, "The disk is full"))
        case 2..<12: if watches { add() }
        default: act(Int(random.next() % 3))
        }
        let progress = machine.takeProgress()
        let sum = progress.finished + left + progress.current.count + machine.pending.count
        check(sum == progress.total && progress.total == count, "\(progress) of \(count)")
        check(
          progress.current.count == works.count { $0 != nil } && progress.finished == ended, "\(progress)")
      }
      machine.closeInputs()
      for _ in 0..<2 * count + 2 { for worker in 0..<3 { act(worker) } }
      check(hasEnded.allSatisfy { $0 }, "seed \(seed): a worker does not end")
      let pending = machine.pending.count
      check(machine.mayBegin ? pending == 0 : true, "\(pending) photos are forgotten")
      let entries = machine.finish().entries
      check(Set(entries.map(\.index)).count == entries.count, "an entry stands twice")
      check(watches || entries.count == count, "\(entries.count) entries of \(count)")
      check(ended + left + pending == count, "\(ended) and \(left) and \(pending) of \(count)")
    }
    #expect(problems.isEmpty, "\(problems)")
  }
}
