import ColorScience
import FrameCore
import Libc

extension PlanBuilder {
  /// Makes the light of a scene as bright as it is to be shown, ahead of the first filter of colour. Nothing for pictures
  /// that were made for a display.
  mutating func lightScene() {
    guard let scene, sceneProgress == .stored else { return }
    sceneProgress = .lit
    matrix(Matrix3x3.diagonal(SIMD3(repeating: Double(exp2(scene.exposure) / scene.white))))
  }

  /// Shows the light of a scene as that of a display, unless that was done; what filters behind expect.
  mutating func showScene() {
    guard scene != nil, sceneProgress != .shown else { return }
    showScene(through: SceneCurve())
  }

  /// Shows the light of a scene as that of a display. Pictures that were made for a display stay as they are.
  ///
  /// - Parameter curve: nil leaves the recorded light as it is.
  public mutating func showScene(through curve: SceneCurve?) {
    guard let scene, beginShowing() else { return }
    guard let curve else { return exposeAsAsked(scene) }
    let full = Double(exp2(scene.exposure))
    matrix(Matrix3x3.diagonal(SIMD3(repeating: 1 / curve.range(full: full))))
    curves(
      LightCurves(
        .hueKeeping(curve.curve(full: full)),
        text: "tone map, contrast \(PlainNumber.fixed(curve.contrast, 2))"))
  }

  /// Shows the light of a scene as the camera profile in its file says, or through the usual curve where it says nothing.
  public mutating func showSceneThroughProfile() {
    guard let scene else { return }
    guard !scene.toneCurve.isEmpty else {
      notes.append("The photo has no tone curve of its own, so Safelight's is used")
      return showScene(through: SceneCurve())
    }
    guard beginShowing() else { return }
    exposeAsAsked(scene)
    let curve = MonotoneCurve(scene.toneCurve.map { SIMD2<Double>($0) })
    curves(
      LightCurves(.hueKeeping(LightCurve(above: 0, curve.evaluate)), text: "tone map of the photo's profile"))
  }

  /// Makes a scene as bright as its file asks, without what sensors keep in hand.
  private mutating func exposeAsAsked(_ scene: SceneLight) {
    matrix(Matrix3x3.diagonal(SIMD3(repeating: Double(exp2(scene.asked - scene.exposure)))))
  }

  /// - Returns: false if the light was shown before, which makes the filter unusable.
  private mutating func beginShowing() -> Bool {
    guard sceneProgress != .shown else {
      unusable =
        unusable ?? "stands behind another tone map, or behind filters that act on what a tone map has shown"
      return false
    }
    lightScene()
    sceneProgress = .shown
    return true
  }
}

/// How far the light of a scene has come in a plan.
enum SceneProgress {
  /// As it is stored.
  case stored
  /// As bright as it is to be shown.
  case lit
  /// As that of a display.
  case shown
}
