import ColorScience
import Testing

@Suite("Chromatic adaptation")
struct ChromaticAdaptationTests {
  // colour-science 0.4.7: adaptation.matrix_chromatic_adaptation_VonKries(xy_to_XYZ(a), xy_to_XYZ(b), method).
  @Test(
    "Matrices are colour-science's",
    arguments: [
      (
        ChromaticAdaptation.bradford, Chromaticity(x: 0.44757, y: 0.40745),
        [
          0.8446800064678212, -0.11793685503360744, 0.3949731588208317, -0.1366338567943419,
          1.1041074613684059,
          0.1292221696157163, 0.07988569582126995, -0.13496443621106263, 3.1933604580120303,
        ]
      ),
      (
        .bradford, .d50,
        [
          0.9555393946921593, -0.023058352301187884, 0.06322403605030377, -0.02831193652801526,
          1.0099470648102142, 0.02102749675549179, 0.012310271865643273, -0.020503409783497593,
          1.3302314991008461,
        ]
      ),
      (
        .cat16, Chromaticity(x: 0.44757, y: 0.40745),
        [
          0.9506864667786312, -0.18738588390684702, 0.26289766822276445, -0.02566714039569334,
          1.0323098336106802,
          -0.011565730982006209, -0.0027421855216947576, 0.09100585000233802, 2.8133781689723047,
        ]
      ),
      (
        .cat16, .d50,
        [
          0.9894878446680976, -0.039955523908293135, 0.044032863140066845, -0.005395469788866654,
          1.0066513355400013,
          -0.001755913021576325, -0.0004041006306426176, 0.01507103386617558, 1.3019772283790916,
        ]
      ),
    ])
  func matrices(method: ChromaticAdaptation, source: Chromaticity, expected: [Double]) {
    let adaptation = method.matrix(from: source, to: .d65)
    #expect(adaptation.largestDifference(from: matrix(expected)) < 1e-12)
    #expect(distance(adaptation * source.XYZ, Chromaticity.d65.XYZ) < 1e-14)
  }

  @Test("Equal whites need no matrix at all", arguments: ChromaticAdaptation.allCases)
  func identity(method: ChromaticAdaptation) {
    #expect(method.matrix(from: .d65, to: .d65) == .identity)
  }
}
