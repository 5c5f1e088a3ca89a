import BenchmarkSupport
import FoundationEssentials
import Safelight

/// The bars that Safelight must hold, read from `thresholds.json`.
struct Thresholds: Decodable {
  /// The processors that bars in milliseconds and megabytes are for, by `Processor.identifier`, or by
  /// `familyIdentifier` if the model is unknown. Each has a results page of this name.
  var processors: [String]
  var bars: [Bar]

  private enum CodingKeys: String, CodingKey, CaseIterable { case processors, bars }

  init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(outside: CodingKeys.allCases.map(\.rawValue))
    let container = try decoder.container(keyedBy: CodingKeys.self)
    processors = try container.decode([String].self, forKey: .processors)
    bars = try container.decode([Bar].self, forKey: .bars)
  }

  init(processors: [String], bars: [Bar]) { (self.processors, self.bars) = (processors, bars) }

  init(contentsOf path: String) throws {
    do {
      self = try JSONDecoder().decode(Thresholds.self, from: Data(FileContents.read(path)))
    } catch let error as DecodingError {
      throw SafelightError(.corruptData, "\(path) does not hold bars: \(error)")
    }
  }

  /// Rejects bars of unknown works, contenders or instruction sets, which would never be judged.
  func check(against works: [Work]) throws {
    for bar in bars {
      if let needs = bar.needs, InstructionSet(rawValue: needs) == nil {
        throw SafelightError(
          .invalidValue, "The bar “\(bar.name)” needs “\(needs)”, which is no instruction set",
          remedy: "take one of \(InstructionSet.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      for processor in bar.floors.keys.sorted() where !processors.contains(processor) {
        throw SafelightError(
          .invalidValue,
          "The bar “\(bar.name)” has a floor for “\(processor)”, which is not among the processors",
          remedy: "take one of \(processors.joined(separator: ", "))")
      }
      guard bar.against.isEmpty == (bar.unit != nil) else {
        throw SafelightError(
          .invalidValue,
          bar.against.isEmpty
            ? "The bar “\(bar.name)” is against nobody and has no unit"
            : "The bar “\(bar.name)” is a ratio and has a unit",
          remedy: "give either contenders in “against”, or a “unit”")
      }
      guard let work = works.first(where: { $0.id == bar.work }) else {
        throw SafelightError(
          .invalidValue, "The bar “\(bar.name)” is for the work “\(bar.work)”, which there is not")
      }
      for id in [bar.ours] + bar.against where !work.contenders.contains(where: { $0.id == id }) {
        throw SafelightError(
          .invalidValue, "The bar “\(bar.name)” needs “\(id)”, which does not do \(bar.work)")
      }
    }
  }
}

/// One bar: the maximum of our time over another's, the minimum of another's time over ours, or the maximum of a
/// value by itself.
struct Bar: Decodable {
  enum Sense: String, Decodable {
    /// Our value over theirs, or ours alone in `unit`, is at most the bar.
    case atMost
    /// Their value over ours is at least the bar.
    case atLeast
  }

  enum Unit: String, Decodable {
    case milliseconds = "ms"
    case megabytes = "MB"
    case number = ""
  }

  var name: String
  var work: String
  var ours: String
  /// The best of these counts. If empty, the value by itself counts, which depends on the machine.
  var against: [String]
  var sense: Sense
  /// The goal, on all processors.
  var bar: Double
  /// The limit that holds until the goal is met; nil if the goal itself holds.
  var floor: Double?
  /// The same for individual processors.
  var floors: [String: Double]
  var unit: Unit?
  /// The instruction set that the bar requires; on processors without it, it is skipped.
  var needs: String?
  /// Why it is missed, or what is special about it.
  var note: String?

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case name, work, ours, against, sense, bar, floor, floors, unit, needs, note
  }

  init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(outside: CodingKeys.allCases.map(\.rawValue))
    let container = try decoder.container(keyedBy: CodingKeys.self)
    name = try container.decode(String.self, forKey: .name)
    work = try container.decode(String.self, forKey: .work)
    ours = try container.decode(String.self, forKey: .ours)
    against = try container.decode([String].self, forKey: .against)
    sense = try container.decode(Sense.self, forKey: .sense)
    bar = try container.decode(Double.self, forKey: .bar)
    floor = try container.decodeIfPresent(Double.self, forKey: .floor)
    floors = try container.decodeIfPresent([String: Double].self, forKey: .floors) ?? [:]
    unit = try container.decodeIfPresent(Unit.self, forKey: .unit)
    needs = try container.decodeIfPresent(String.self, forKey: .needs)
    note = try container.decodeIfPresent(String.self, forKey: .note)
  }

  enum Verdict {
    case met
    /// The bar is missed, but by no more than is known.
    case knownMiss
    case lost
    /// The value was measured, but the bar is for other processors.
    case notJudged
    case skipped(String)
  }

  struct Judgement {
    let bar: Bar
    var value: Double?
    /// The contender that it was compared with.
    var rival = ""
    /// The limit on this processor.
    var limit: Double
    var verdict: Verdict
  }

  /// - Parameters:
  ///   - measurements: those of the bar's work.
  ///   - instructions: the instruction sets of this processor.
  ///   - processor: this processor's name among those of the bars; nil if it is another one.
  func judge(_ measurements: [Measurement], instructions: Set<InstructionSet>, processor: String?)
    -> Judgement
  {
    let floor = processor.flatMap { floors[$0] } ?? floor
    let limit = floor ?? bar
    func skipped(_ reason: String) -> Judgement {
      Judgement(bar: self, limit: limit, verdict: .skipped(reason))
    }
    func holds(_ value: Double, _ limit: Double) -> Bool {
      sense == .atMost ? value <= limit : value >= limit
    }
    func verdict(on value: Double) -> Verdict {
      holds(value, bar) ? .met : holds(value, limit) ? .knownMiss : .lost
    }
    if let needs {
      guard let set = InstructionSet(rawValue: needs), instructions.contains(set) else {
        return skipped("this processor has no \(needs)")
      }
    }
    // Ours is always there: without a figure it has failed. A rival that does other work is no reason to pass.
    var rivals: [(title: String, value: Double)] = []
    for id in against {
      guard let measurement = measurements.first(where: { $0.id == id }) else {
        return skipped("\(id) was not measured")
      }
      guard let value = measurement.value else {
        let reason = "\(measurement.title): \(measurement.reason ?? "no figure")"
        return measurement.isSkipped
          ? skipped(reason) : Judgement(bar: self, rival: reason, limit: limit, verdict: .lost)
      }
      rivals.append((measurement.title, value))
    }
    guard let own = measurements.first(where: { $0.id == ours }) else {
      return skipped("\(ours) was not measured")
    }
    guard let value = own.value else {
      let reason = "\(own.title): \(own.reason ?? "no figure")"
      return own.isSkipped
        ? skipped(reason) : Judgement(bar: self, rival: reason, limit: limit, verdict: .lost)
    }
    guard let best = rivals.min(by: { $0.value < $1.value }) else {
      let scaled = value * (unit == .milliseconds ? 1e3 : unit == .megabytes ? 1e-6 : 1)
      let isJudged = unit == .number || processor != nil
      return Judgement(
        bar: self, value: scaled, limit: limit, verdict: isJudged ? verdict(on: scaled) : .notJudged)
    }
    let ratio = sense == .atMost ? value / best.value : best.value / value
    return Judgement(bar: self, value: ratio, rival: best.title, limit: limit, verdict: verdict(on: ratio))
  }
}

/// Any key of an object.
private struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension Decoder {
  /// An unknown key is a mistake: it would have no effect.
  fileprivate func refuseKeys(outside known: [String]) throws {
    for key in try container(keyedBy: AnyKey.self).allKeys where !known.contains(key.stringValue) {
      throw SafelightError(
        .invalidValue, "The bars have an unknown key “\(key.stringValue)”",
        remedy: "take one of \(known.joined(separator: ", "))")
    }
  }
}
