import Safelight
import Synchronization

/// Photos of live frames: written unedited and in full quality, with the look of the moment as their edit beside them.
final class CameraPhotos: Sendable {
  /// What a press asked for.
  final class Order: Sendable {
    let peer: any StudioPeer
    let request: Int
    let recipe: Recipe
    let zoom: Double

    init(peer: any StudioPeer, request: Int, recipe: Recipe, zoom: Double) {
      (self.peer, self.request, self.recipe, self.zoom) = (peer, request, recipe, zoom)
    }
  }

  let output: PhotoOutput<DeliveredPhoto>
  private let orders: OrderTable
  /// Photos that have begun and not ended.
  private let underWay = Monitor(0)

  /// The orders of photos under way, by their settings.
  private final class OrderTable: Sendable {
    private let orders = Mutex<[UInt64: Order]>([:])
    subscript(id: UInt64) -> Order? {
      get { orders.withLock { $0[id] } }
      set { orders.withLock { $0[id] = newValue } }
    }
  }

  /// The bytes that frames are kept in.
  private static let memory = 96 << 20
  private static let thumbnailEdge = 320
  /// Seconds for photos that are not written yet when the camera is closed.
  private static let patience = 10.0

  /// - Parameters:
  ///   - folder: where photos are written; made when the first is.
  ///   - saved: receives each photo that is written, with its number in its burst from 1.
  /// - Throws: `SafelightError` if the folder's name cannot be used.
  init(
    to folder: String, of input: any CaptureInput,
    saved: @escaping @Sendable (DeliveredPhoto, Order, _ number: Int?) -> Void
  ) throws {
    let orders = OrderTable()
    self.orders = orders
    var delivery = PhotoDelivery(
      names: try PhotoNames(folder + "/"), original: .withRecipe, camera: input.name)
    delivery.recipe = { orders[$0.id]?.recipe ?? Recipe() }
    output = PhotoOutput(
      memory: Self.memory, spool: PhotoSpool(in: FolderListing.parent(of: folder)),
      prioritizesFastCapture: true,
      cameraValues: input.valueReader
    ) { [delivery] captured, _ in
      let id = captured.settings.id
      defer { orders[id] = nil }
      guard let order = orders[id] else { return try delivery.deliver(captured) }
      var own = delivery
      own.recipe = { [recipe = try Self.recipe(of: order, captured)] _ in recipe }
      Self.sendThumbnail(of: captured, own, for: order)
      let photo = try own.deliver(captured)
      saved(photo, order, captured.settings.burst.map { $0.index + 1 })
      return photo
    }
  }

  private static func recipe(of order: Order, _ captured: CapturedPhoto) throws -> Recipe {
    let frame = captured.referenceFrame
    let input = PlanInput(size: frame.size, orientation: frame.orientation)
    return try order.recipe.zoomed(by: order.zoom, of: input)
  }

  /// The photo flies to the gallery before it is a file.
  private static func sendThumbnail(of captured: CapturedPhoto, _ delivery: PhotoDelivery, for order: Order) {
    // Without it the photo is taken all the same.
    guard let picture = try? delivery.thumbnail(of: captured, longEdge: thumbnailEdge) else { return }
    StudioPicture.blackenTransparency(of: picture)
    guard let jpeg = try? JPEGFrameEncoder(quality: 84).encode(picture, { Array($0) }) else { return }
    order.peer.send(
      "thumbnail",
      [
        "kind": .string("shot"), "photo": .string(""), "preset": .string(""),
        "request": .number(order.request), "number": .number((captured.settings.burst?.index ?? 0) + 1),
        "width": .number(picture.width), "height": .number(picture.height),
      ], payload: [jpeg])
  }

  /// Takes what a press asked for.
  ///
  /// - Returns: what ends later than its first photo, if it takes several.
  /// - Throws: `SafelightError` if the camera does not run.
  func take(_ shot: CameraRequest.Shot, _ order: Order, pressedAt: Timestamp, device: CaptureDevice?) throws
    -> CameraSeries?
  {
    let tell: @Sendable (PhotoEvent<DeliveredPhoto>) -> Void = { [orders, underWay] event in
      Self.tell(event, order, orders, underWay)
    }
    switch shot {
    case .photo:
      _ = try output.capture(PhotoSettings(), pressedAt: pressedAt, onEvent: tell)
      return nil
    case .burst(let count):
      return .burst(try output.captureBurst(of: count ?? .max, pressedAt: pressedAt, onEvent: tell))
    case .bracket(let bracket, let isFused):
      guard let device else {
        throw SafelightError(
          .unsupported, "Exposures can be set on cameras only", remedy: "take a burst, or choose a camera")
      }
      return .bracket(
        try output.captureBracket(
          bracket, with: device, isFused: isFused, pressedAt: pressedAt, onEvent: tell))
    }
  }

  private static func tell(
    _ event: PhotoEvent<DeliveredPhoto>, _ order: Order, _ orders: OrderTable, _ underWay: Monitor<Int>
  ) {
    switch event {
    case .willBegin(let settings):
      orders[settings.id] = order
      underWay.update { $0 += 1 }
    case .didCapture(let moment):
      order.peer.send(
        "shot",
        [
          "request": .number(order.request), "stage": .string("captured"),
          "latency": .number(PlainNumber.rounded(1000 * moment.offset, 1)),
          "zeroShutterLag": .bool(moment.settings.zeroShutterLag == .applies),
          "number": .number((moment.settings.burst?.index ?? 0) + 1),
          "sequence": .number(Double(moment.sequence)),
        ])
    case .finished: underWay.update { $0 -= 1 }
    case .failed(let error):
      underWay.update { $0 -= 1 }
      order.peer.send(error, request: order.request, photo: CameraRequest.photo)
    case .willCapture, .thumbnail, .proxy: break
    }
  }

  /// Waits for the photos that are not written yet.
  func finish() {
    _ = underWay.wait(until: .now.advanced(bySeconds: Self.patience)) { $0 == 0 ? true : nil }
  }
}
