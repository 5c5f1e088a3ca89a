import Libc

/// The sharpening and the noise reduction that a camera raw gets before anybody asks for any: pictures that cameras make
/// themselves have had theirs.
///
/// All go from one value to another with the logarithm of the sensitivity: lenses and the interpolation of colours blur
/// every raw by about as much, and the more noise there is, the less of it may be sharpened. Specks of colour are removed
/// long before all of the grain, which the eye forgives.
///
///     sharpening        amount 0.40 at ISO 400 and below, to 0.25 at 12,800; edges alone the more, 0.1 to 0.5
///     noise in colour   from 0 at ISO 200 to all at 1600; its detail from 0.5 at 400 to 0 at 6400
///     grain             from 0 at ISO 400 to 0.6 at 12,800; its detail from 0.5 to 0.3
///
/// The numbers for noise are those that were liked best on mosaics with the noise of 50,000 electrons at ISO 100. Amount,
/// radius and detail at low sensitivities are those with which Lightroom opens raws (Adobe, "Camera Raw defaults").
struct SceneDetail: Equatable {
  let sharpening, masking: Double
  /// Parts that are removed, and what counts as detail, 0…1.
  let color, colorDetail, luminance, luminanceDetail: Double

  static let radius = 1.0
  static let detail = 0.25
  /// Where a pixel of the result is the mean of more than nine, hardly any noise is left to be removed.
  static let leastScale = 1.0 / 3

  /// - Parameter iso: the sensitivity; nil, or what is none, counts as low.
  init(iso: Float?) {
    let known = iso.map(Double.init).flatMap { $0.isFinite && $0 > 0 ? $0 : nil } ?? 100
    func part(_ low: Double, _ high: Double) -> Double {
      min(max(log2(known / low) / log2(high / low), 0), 1)
    }
    sharpening = 0.4 - 0.15 * part(400, 12_800)
    masking = 0.1 + 0.4 * part(400, 12_800)
    color = part(200, 1600)
    colorDetail = 0.5 - 0.5 * part(400, 6400)
    luminance = 0.6 * part(400, 12_800)
    luminanceDetail = 0.5 - 0.2 * part(400, 12_800)
  }
}

extension PlanBuilder {
  /// Decides whether the light of a scene, as of a camera raw, gets the sharpening and the noise reduction that its
  /// sensitivity needs, besides what filters ask for. Without a filter that decides it does.
  public mutating func sceneDetail(isAutomatic: Bool) { addsSceneDetail = isAutomatic }

  /// Asks for the detail of a scene, once the picture has its final size, unless a filter has decided against it.
  mutating func addSceneDetail() {
    guard let scene, addsSceneDetail ?? true else { return }
    let detail = SceneDetail(iso: scene.iso)
    sharpenings.add(
      amount: detail.sharpening, radius: SceneDetail.radius, detail: SceneDetail.detail,
      masking: detail.masking, isAskedFor: false)
    guard scale > SceneDetail.leastScale else { return }
    denoise(
      luminance: detail.luminance, luminanceDetail: detail.luminanceDetail, color: detail.color,
      colorDetail: detail.colorDetail)
  }
}
