import FilterGraph
import PixelKernels

/// The places of a row's pixels as kernels read them. Owned by one thread.
final class RowPlaces {
  private var grids: UnsafeMutablePointer<sl_light_grid>
  private var capacity = 1
  private let map: UnsafeMutablePointer<Double>
  /// Whether they are those of a projection.
  private var isProjected = false

  init() {
    grids = .allocate(capacity: capacity)
    grids.initialize(repeating: sl_light_grid(), count: capacity)
    map = .allocate(capacity: 6)
    map.initialize(repeating: 0, count: 6)
  }

  deinit {
    grids.deallocate()
    map.deallocate()
  }

  /// Those of a picture whose grids are `light`.
  func places(_ light: UnsafePointer<sl_light_grid>?) -> sl_places {
    isProjected
      ? sl_places(grids: light == nil ? nil : UnsafePointer(grids), to_stored: UnsafePointer(map))
      : sl_places(grids: light, to_stored: nil)
  }

  /// Ends the use of a projection's places.
  func leave() { isProjected = false }

  /// Takes the map from pixels to places as stored, in which the maps of `count` grids begin.
  func enter(_ toStored: AffineMap, _ light: UnsafePointer<sl_light_grid>?, count: Int) {
    isProjected = true
    (map[0], map[1], map[2]) = (toStored.a, toStored.b, toStored.c)
    (map[3], map[4], map[5]) = (toStored.d, toStored.e, toStored.f)
    guard let light else { return }
    if count > capacity {
      grids.deallocate()
      grids = .allocate(capacity: count)
      grids.initialize(repeating: sl_light_grid(), count: count)
      capacity = count
    }
    for index in 0..<count {
      grids[index] = light[index]
      grids[index].map = toStored.then(AffineMap(light[index].map)).six
      grids[index].detail_map = toStored.then(AffineMap(light[index].detail_map)).six
    }
  }
}

extension AffineMap {
  /// From two rows of three.
  fileprivate init(_ map: (Double, Double, Double, Double, Double, Double)) {
    self.init(a: map.0, b: map.1, c: map.2, d: map.3, e: map.4, f: map.5)
  }
}

extension TileScratch {
  var places: sl_places { placing.places(light) }

  func setPlaces(_ toStored: AffineMap, grids: Int) { placing.enter(toStored, light, count: grids) }
}
