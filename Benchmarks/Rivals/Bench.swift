import BenchmarkSupport
import Safelight

/// Runs contenders in turn, and records their costs.
struct Bench {
  let workshop: Workshop
  let options: Options
  let instructions: Set<InstructionSet>

  /// The number of turns of a contender.
  private var rounds: Int { options.isQuick ? 3 : 8 }
  /// The duration of one turn in seconds, if a run is shorter.
  private var turn: Double { options.isQuick ? 0.02 : 0.06 }
  /// The duration of all turns in seconds, apart from their least number.
  private var budget: Double { options.isQuick ? 0.5 : 3 }

  /// Measures a work.
  ///
  /// Every contender first runs once without being measured, and the results are compared. Then they take turns,
  /// and the first turn rotates among them, so that a temporary disturbance of the machine affects all of them.
  func measure(_ work: Work) -> [Measurement] {
    var measurements: [Measurement] = []
    var players: [(index: Int, runner: any Runner, rounds: Int)] = []
    var reference: Picture?
    for contender in work.contenders where options.comparesRivals || contender.role != .rival {
      var measurement = Measurement(contender)
      measurement.scale = contender.pixels.map { Double(work.pixels) / Double($0) } ?? 1
      do {
        if let obstacle = obstacle(of: contender) {
          measurement.state = .skipped(obstacle)
        } else {
          let runner = try contender.prepare(workshop)
          let start = monotonicSeconds()
          _ = try runner.run()
          let seconds = monotonicSeconds() - start
          try compare(contender, of: work, runner, with: &reference, in: &measurement)
          if measurement.isMeasured {
            let turns = min(rounds, max(contender.leastRuns, Int(budget / max(seconds, turn))))
            players.append((measurements.count, runner, turns))
          }
        }
      } catch {
        measurement.state = .failed("\(error)")
      }
      measurements.append(measurement)
      progress("  \(contender.title): \(measurement.summary)")
    }
    for round in 0..<rounds {
      for place in players.indices {
        let player = players[(place + round) % players.count]
        // If a contender has few turns, they are spread over the rounds.
        guard (round + 1) * player.rounds / rounds > round * player.rounds / rounds else { continue }
        take(a: player.runner, into: &measurements[player.index])
      }
    }
    return measurements
  }

  /// Runs one turn.
  private func take(a runner: any Runner, into measurement: inout Measurement) {
    guard measurement.isMeasured else { return }
    let start = monotonicSeconds()
    do {
      repeat { measurement.samples += try runner.run() } while monotonicSeconds() - start < turn
    } catch {
      measurement.state = .failed("\(error)")
    }
  }

  /// The first picture of a work is ours; the others are compared with it.
  private func compare(
    _ contender: Contender, of work: Work, _ runner: any Runner, with reference: inout Picture?,
    in measurement: inout Measurement
  ) throws {
    guard let own = reference else {
      if contender.role == .ours { reference = try runner.picture() }
      return
    }
    guard let tolerance = contender.tolerance else { return }
    guard let picture = try runner.picture() else { return }
    let expected = try contender.reference.map { try $0(workshop) } ?? own
    let difference: Difference
    if tolerance.isEdit {
      guard let unedited = try work.unedited?(workshop) else {
        throw SafelightError(.invalidValue, "\(work.id) compares edits and has no unedited picture")
      }
      difference = Sketch(expected).difference(to: Sketch(picture), unedited: Sketch(unedited))
    } else {
      difference = try expected.difference(to: picture)
    }
    measurement.difference = difference
    if !tolerance.holds(difference) {
      measurement.state = .unequal(
        "its result differs from ours by \(difference.text), beyond \(tolerance.text)")
    }
  }

  /// Why a contender cannot run; nil if it can.
  private func obstacle(of contender: Contender) -> String? {
    switch contender.needs {
    case .nothing: nil
    case .program(let program): Machine.isInstalled(program) ? nil : "\(program) is not installed"
    case .module(let module):
      workshop.helper?.libraries[module] == nil ? "the Python module \(module) is not installed" : nil
    case .instructions(let set):
      instructions.contains(set) ? nil : "this processor has no \(set.rawValue)"
    case .gpu: GPUChoice.obstacle
    }
  }
}

/// The measurement of a contender.
struct Measurement {
  enum State {
    case measured
    /// It is not installed here.
    case skipped(String)
    case failed(String)
    /// Its result differs: it does other work.
    case unequal(String)
  }

  let id: String
  let title: String
  let role: Contender.Role
  var state = State.measured
  /// One sample per run, in the work's quantity.
  var samples: [Double] = []
  /// The factor for samples if the contender's pixels differ from the work's.
  var scale = 1.0
  var difference: Difference?
  let samplesPerPixel: Int?

  init(_ contender: Contender) {
    (id, title, role) = (contender.id, contender.title, contender.role)
    samplesPerPixel = contender.samplesPerPixel
  }

  var isMeasured: Bool { if case .measured = state { true } else { false } }

  /// Why there is no figure; nil if there is one.
  var reason: String? {
    switch state {
    case .measured: nil
    case .skipped(let reason), .failed(let reason), .unequal(let reason): reason
    }
  }

  /// Whether its figure is missing only because the contender is not on this machine.
  var isSkipped: Bool { if case .skipped = state { true } else { false } }

  /// The median, in the work's quantity; nil if there is no figure.
  var value: Double? { isMeasured && !samples.isEmpty ? scale * median(samples) : nil }

  var summary: String { reason ?? difference.map { "ready, differs by \($0.text)" } ?? "ready" }
}
