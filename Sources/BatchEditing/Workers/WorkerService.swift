import Files
import CProcess
import FrameCore
import Libc

/// The counterpart of `IsolatedBatchEditor`, which runs in a worker process.
public enum WorkerService {
  /// Answers requests on standard input until it is closed.
  ///
  /// The process ends with its parent, which also limits the memory it may allocate.
  ///
  /// - Parameter parent: the process that started this one.
  public static func run(_ editor: any BatchEditor, parent: Int32) throws {
    cprocess_end_with_parent()
    // The parent may have ended before the line above.
    guard getppid() == parent else { return }
    // Output of libraries must not mix with the answers.
    let answers = dup(1)
    guard answers >= 0, dup2(2, 1) >= 0 else { return }
    signal(SIGPIPE, SIG_IGN)
    var requests = PipeLineReader(0)
    guard writeAll(try WorkerLine.encode(WorkerReply.ready), to: answers) else { return }
    var photo: (any BatchPhoto)?
    while case .line(let line) = requests.next() {
      let reply: WorkerReply
      do {
        switch try WorkerLine.decode(WorkerRequest.self, from: line) {
        case .examine(let input):
          photo = nil
          let opened = try editor.open(input)
          photo = opened
          reply = .examined(opened.examination)
        case .edit(let output, let overwrite):
          guard let opened = photo else {
            throw SafelightError(.invalidValue, "No photo was examined before the edit")
          }
          // An idle worker keeps no file open.
          photo = nil
          reply = .edited(try opened.edit(to: output, overwrite: overwrite))
        }
      } catch {
        reply = .failed(WorkerFailure(error))
      }
      guard writeAll(try WorkerLine.encode(reply), to: answers) else { return }
    }
  }
}
