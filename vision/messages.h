// What `safelight` and `safelight-vision` say to each other over a socket.
//
// Every message is a length of four bytes and as many bytes; numbers are little-endian, texts have their
// length before them. `Sources/Vision/Messages` is the other side; both check every length.
#ifndef SAFELIGHT_VISION_MESSAGES_H
#define SAFELIGHT_VISION_MESSAGES_H

#include <cstdint>
#include <string>
#include <vector>

namespace vision {

// Raised when a message changes.
constexpr uint16_t kVersion = 1;

// Where `safelight` puts the descriptors.
constexpr int kSocket = 3;
constexpr int kFrames = 4;

constexpr uint32_t kLongestEdge = 32767;
constexpr size_t kMostThings = 1024;
constexpr size_t kMostText = 65535;

enum class Task : uint8_t { codes = 1, faces = 2, text = 3, trial = 200 };

// What a search may try, as bits of a request.
enum Flag : uint8_t {
  kHarder = 1,     // codes: more rows, and damaged codes; faces: small ones, in finer steps
  kTurned = 2,     // codes: turned by 90°
  kSmaller = 4,    // codes: at reduced sizes
  kPlain = 8,      // codes: dark on light
  kInverted = 16,  // codes: light on dark
  kStacked = 128,  // codes: DataBar, stacked or not
  kMirrored = 64,  // codes: as in a mirror, if nothing else was found
  kOneLine = 32,   // text: the frame is a single line
};

struct Request {
  uint32_t sequence;
  Task task;
  uint8_t flags;
  // Which trial; 0 for tasks.
  uint16_t trial;
  uint32_t width, height, row_bytes;
  // After this time the worker ends itself, in case nobody is left who would end it.
  uint32_t milliseconds;

  static constexpr uint32_t kBytes = 24;
};

// 8-bit luma, upright, black at 0.
struct Frame {
  const uint8_t *base;
  int width, height, row_bytes;
};

struct Point {
  float x, y;
};

// Something found, in pixels of the frame.
struct Thing {
  // Clockwise, from the thing's own top left.
  std::vector<Point> corners;
  float confidence = 0;
  bool has_text = false;
  std::string text;
  std::vector<std::pair<std::string, std::string>> details;
};

// Why something cannot be looked for.
enum class State : uint8_t { ready = 0, no_library = 1, no_file = 2, bad_file = 3, not_asked = 4 };

struct Ability {
  State state = State::not_asked;
  // The library and its model, or the file that is missing or bad.
  std::string detail;
};

// A message being written.
class Message {
 public:
  void u8(uint8_t value) { bytes_.push_back(value); }
  void u16(uint16_t value);
  void u32(uint32_t value);
  void f32(float value);
  // At most `kMostText` bytes of it.
  void text(const std::string &value);

  // Sends it with its length. False if nobody listens.
  bool send() const;

 private:
  std::vector<uint8_t> bytes_;
};

// Waits for a request. False at the end of the conversation, or if what comes is none.
bool receive(Request *request);

bool send_found(uint32_t sequence, const std::vector<Thing> &things);
bool send_failed(uint32_t sequence, const std::string &reason);

// Sends bytes as they are.
bool send_bytes(const void *bytes, size_t count);

}  // namespace vision

#endif
