import AllocationCounter
import BenchmarkSupport
import Safelight

/// Camera frames: their conversion, the whole chain, and how steady its times are.
extension Work {
  static func live() -> [Work] {
    [conversion(), chain("1080p", Workshop.fullHD), chain("4k", Workshop.ultraHD), jitter(), allocations()]
  }

  /// A typical streamer's edit.
  static func liveFilters(_ workshop: Workshop) throws -> [any Filter] {
    [
      Exposure(stops: 0.3), WhiteBalance(temperature: 6900), Contrast(10), Saturation(15), try workshop.lut(),
      Straighten(2), Crop(.proportions(width: 3, height: 2)),
    ]
  }

  private static func conversion() -> Work {
    let size = Workshop.ultraHD
    func ours(_ format: PixelFormat) -> (Workshop) throws -> any Runner {
      { workshop in try Rendering([], on: workshop.picture(size, format)).runner() }
    }
    func ffmpeg(_ id: String, _ title: String, _ chain: String, _ format: PixelFormat, _ name: String)
      -> Contender
    {
      .rival(id, title, needs: .program("ffmpeg"), tolerance: .chroma) { workshop in
        FFmpegRunner(workshop, chain, source: try workshop.rawFile(size, format), size: size, format: name)
      }
    }
    return Work(
      id: "yuv", kind: .frame, title: "YUV to 8-bit RGBX, BT.601, 3840×2160, one thread",
      note: """
        Safelight and zimg interpolate colour differences; swscale with these flags and OpenCV repeat them, which is less \
        work. zimg takes and makes planes (i422, gbrp).
        """,
      pixels: size.pixelCount,
      contenders: [
        .ours("ours", "safelight, yuyv422", prepare: ours(.yuyv422)),
        .ours("ours-i422", "safelight, i422", tolerance: .rounding, prepare: ours(.i422)),
        .ours("ours-nv12", "safelight, nv12", tolerance: .chroma, prepare: ours(.nv12)),
        Contender(id: "memcpy", title: "memcpy of the frame and of its RGBX", role: .yardstick) { workshop in
          try copying {
            [
              (try $0.picture(size, .yuyv422), try PixelBuffer(size: size, format: .yuyv422)),
              (try $0.picture(size), try PixelBuffer(size: size, format: .rgba8)),
            ]
          }(workshop)
        },
        ffmpeg(
          "zimg", "zimg (FFmpeg zscale), i422",
          "zscale=matrixin=170m:rangein=limited:matrix=gbr:range=full:filter=bilinear,format=gbrp", .i422,
          "yuv422p"),
        ffmpeg(
          "swscale", "swscale, yuyv422",
          "scale=in_color_matrix=bt601:in_range=tv:out_range=pc:flags=bilinear,format=rgb0", .yuyv422,
          "yuyv422"),
        .rival("opencv", "OpenCV cvtColor, yuyv422", needs: .module("cv2"), tolerance: .chroma) { workshop in
          try LibraryRunner(
            workshop, "opencv-yuyv", source: workshop.rawFile(size, .yuyv422), size: size, ["channels": 2])
        },
      ])
  }

  private static func chain(_ name: String, _ size: PixelSize) -> Work {
    let planes = "scale=in_color_matrix=bt601:in_range=tv,format=gbrpf32"
    let light = "exposure=exposure=0.3,colortemperature=temperature=6300"
    let contrast = "eq=contrast=1.1:saturation=1.15"
    func ffmpeg(
      _ id: String, _ title: String, _ filters: @escaping (_ table: String, _ output: PixelSize) -> String
    ) -> Contender {
      .rival(id, title, needs: .program("ffmpeg"), tolerance: .edit) { workshop in
        let output = try Rendering(liveFilters(workshop), on: workshop.picture(size, .yuyv422)).output.size
        return FFmpegRunner(
          workshop, filters("lut3d=file=\(try workshop.table()):interp=tetrahedral", output),
          source: try workshop.rawFile(size, .yuyv422), size: size, format: "yuyv422", outputSize: output,
          threads: 2, frames: size == Workshop.fullHD ? 4 : 1)
      }
    }
    return Work(
      id: "live-\(name)", kind: .frame, title: "Live chain, \(size) YUYV to 8-bit RGBX, two threads",
      note: """
        Exposure, white balance, contrast, saturation, a 33³ table, straighten by 2°, crop. FFmpeg's exposure, \
        colortemperature, eq, lut3d and rotate, once with eq in its place and once with eq ahead on the camera's samples and \
        floats up to the table, which spares it conversions. Their values mean slightly other things, so pictures are \
        compared as edits.
        """,
      pixels: size.pixelCount, unedited: { Picture(try $0.picture(size)) },
      contenders: [
        .ours { workshop in
          try Rendering(liveFilters(workshop), on: workshop.picture(size, .yuyv422), threads: 2).runner()
        },
        .ours("ours-1", "safelight, one thread", tolerance: .rounding) { workshop in
          try Rendering(liveFilters(workshop), on: workshop.picture(size, .yuyv422)).runner()
        },
        .ours("ours-bilinear", "safelight, bilinear", tolerance: .resampling) { workshop in
          try Rendering(
            liveFilters(workshop), on: workshop.picture(size, .yuyv422), threads: 2,
            output: PlanOutput(interpolation: .bilinear)
          ).runner()
        },
        Contender(id: "memcpy", title: "memcpy of the frame and of its result", role: .yardstick) {
          workshop in
          try copying { workshop in
            let rendering = try Rendering(liveFilters(workshop), on: workshop.picture(size, .yuyv422))
            // Pages that were never written are all mapped to the same one, which stays in the cache.
            try rendering.render()
            return [
              (rendering.source, try PixelBuffer(size: size, format: .yuyv422)),
              (rendering.output, try PixelBuffer(size: rendering.output.size, format: .rgba8)),
            ]
          }(workshop)
        },
        ffmpeg("ffmpeg", "FFmpeg, the same order, two threads") { table, output in
          "\(planes),\(light),format=yuv444p,\(contrast),format=rgb0,\(table),rotate=2*PI/180,"
            + "crop=\(output.width):\(output.height),format=rgb0"
        },
        ffmpeg("ffmpeg-eq-first", "FFmpeg, eq first, two threads") { table, output in
          "format=yuv422p,\(contrast),\(planes),\(light),\(table),format=rgb0,"
            + "rotate=2*PI/180:ow=\(output.width):oh=\(output.height),format=rgb0"
        },
      ])
  }

  private static func jitter() -> Work {
    Work(
      id: "jitter", kind: .frame, title: "Evenness of frame times, live chain at 1080p, two threads",
      note: """
        Runs of 3000 frames one after the other, after 20 that are not counted; the 99.9th percentile over the median, and of \
        runs the median.
        """, quantity: .number,
      contenders: [
        .ours("ours", "safelight, p99.9 / p50") { workshop in
          let rendering = try Rendering(
            liveFilters(workshop), on: workshop.picture(Workshop.fullHD, .yuyv422), threads: 2)
          return ValueRunner {
            for _ in 0..<20 { try rendering.render() }
            var times: [Double] = []
            times.reserveCapacity(3000)
            for _ in 0..<3000 {
              let start = monotonicSeconds()
              try rendering.render()
              times.append(monotonicSeconds() - start)
            }
            times.sort()
            return [times[2997] / times[1500]]
          }
        }
      ])
  }

  private static func allocations() -> Work {
    Work(
      id: "allocations", kind: .frame,
      title: "Allocations in the frame loop, live chain at 1080p, two threads",
      note: "Calls of the C library's allocator by all threads of the process, in 500 frames.",
      quantity: .number,
      contenders: [
        .ours("ours", "safelight, allocations in 500 frames") { workshop in
          let rendering = try Rendering(
            liveFilters(workshop), on: workshop.picture(Workshop.fullHD, .yuyv422), threads: 2)
          return ValueRunner {
            for _ in 0..<20 { try rendering.render() }
            allocation_counter_count_all_threads(1)
            defer { allocation_counter_count_all_threads(0) }
            let before = allocation_counter_total()
            for _ in 0..<500 { try rendering.render() }
            // Before the array that is returned.
            let count = allocation_counter_total() - before
            return [Double(count)]
          }
        }
      ])
  }
}

extension Tolerance {
  /// For other interpolations of subsampled colour differences.
  static let chroma = Tolerance(mean: 4)
}
