import TestSupport
import Testing

@testable import Rendering

extension KernelTests {
  @Suite("Instruction sets")
  struct InstructionSetTests {
    @Test("each available set is another one, from plain code on, and no limit is the best of them or better")
    func available() throws {
      try ProcessWideLock.instructionSet.withLock {
        let before = CPURenderer.instructionSet
        let sets = CPURenderer.availableInstructionSets
        #expect(CPURenderer.instructionSet == before)
        #expect(sets.first == .scalar)
        #expect(sets == sets.sorted())
        let names = try sets.map { set in
          try CPURenderer.limitInstructionSet(to: set)
          return CPURenderer.instructionSet
        }
        try CPURenderer.limitInstructionSet(to: nil)
        #expect(Set(names).count == sets.count)
        #expect(CPURenderer.instructionSet == before)
      }
    }

    @Test("a set that the processor lacks leaves the best one below it")
    func lacking() throws {
      try ProcessWideLock.instructionSet.withLock {
        defer { try? CPURenderer.limitInstructionSet(to: nil) }
        let sets = CPURenderer.availableInstructionSets
        var best = ""
        for set in Rendering.InstructionSet.allCases {
          try CPURenderer.limitInstructionSet(to: set)
          if sets.contains(set) { best = CPURenderer.instructionSet }
          #expect(CPURenderer.instructionSet == best)
        }
      }
    }
  }
}
