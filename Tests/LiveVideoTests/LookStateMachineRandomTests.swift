import LibraryTestSupport
import Safelight
import TestSupport
import Testing

@testable import LiveVideo

private struct Failure: Error {}

@Suite("The state machine of live looks, at random")
struct LookStateMachineRandomTests {
  @Test(
    "Every frame has a plan that fits, versions never go back, and in the end all show the last look"
  )
  func randomEvents() throws {
    var problems: [String] = []
    func check(_ condition: Bool, _ what: @autoclosure () -> String) {
      if !condition, problems.count < 5 { problems.append(what()) }
    }
    for seed in 0..<400 {
      var random = SeededRandom(seed: UInt64(seed))
      let isLive = seed % 2 == 0
      // Looks are numbers; those that end in 7 cannot be compiled, nor can those that end in 3 for shape 3.
      var machine = LookStateMachine<Int, Int, (look: Int, shape: Int, isFast: Bool)>(0, isLive: isLive)
      func fails(_ look: Int, _ shape: Int) -> Bool { look % 10 == 7 || look % 10 == 3 && shape == 3 }
      var underWay: LookStateMachine<Int, Int, (look: Int, shape: Int, isFast: Bool)>.Job?
      var shown: [Int: Int] = [:]
      var next = 1
      func compilerActs() -> Bool {
        if let job = underWay.take() {
          if fails(job.look, job.shape) {
            _ = machine.failed(job, Failure())
          } else {
            machine.compiled(job, (job.look, job.shape, job.isOptimized), isFast: false)
          }
        }
        guard case .compile(let job) = machine.next() else { return false }
        check(job.former != nil && job.isOptimized, "the compiler is given what frames wait for")
        underWay = job
        return true
      }
      func show(_ shape: Int) -> (look: Int, shape: Int, isFast: Bool)? {
        switch machine.frame(shape) {
        case .use(let plan): return plan
        case .compile(var job):
          check(job.look == machine.look, "a frame waits for look \(job.look)")
          while true {
            if !fails(job.look, job.shape) {
              let plan = (look: job.look, shape: job.shape, isFast: job.isOptimized)
              machine.compiled(job, plan, isFast: false)
              return plan
            }
            switch machine.failed(job, Failure()) {
            case .use(let plan): return plan
            case .compile(let other): job = other
            case .fail: return nil
            }
          }
        }
      }
      func follow(_ shape: Int) {
        guard let plan = show(shape) else { return check(fails(machine.look, shape), "there is no plan") }
        check(plan.shape == shape, "shape \(shape) went through \(plan)")
        // A shape may have been given up, and then the look before has to do for it.
        check(plan.look >= shown[shape] ?? 0 || fails(machine.look, shape), "\(plan) after \(shown)")
        check(isLive || plan.look == machine.look || fails(machine.look, shape), "\(plan) is not the look")
        check(!fails(plan.look, shape), "a look that fails was shown")
        shown[shape] = plan.look
      }
      for _ in 0..<300 {
        switch random.next() % 16 {
        case 0..<3:
          machine.change { $0 = next }
          next += 1
        case 3..<6: _ = compilerActs()
        case 6 where isLive: machine.release()
        case 7: machine.bakedTables()
        default: follow(1 + Int(random.next() % (seed % 3 == 0 ? 6 : 3)))
        }
      }
      // A look that can be compiled takes effect everywhere, and then there is nothing left to do.
      next = next / 10 * 10 + 11
      machine.change { $0 = next }
      if isLive { machine.release() }
      for shape in 1...3 {
        follow(shape)
        var rounds = 0
        while isLive, compilerActs(), rounds < 10 { rounds += 1 }
        check(rounds <= 2, "the compiler does not come to an end")
        let plan = show(shape)
        check(plan.map { $0.look == next && $0.isFast } ?? false, "\(String(describing: plan)) in the end")
      }
      check(machine.problem == nil, "a problem is told that is over")
    }
    #expect(problems.isEmpty, "\(problems)")
  }
}
