#include "messages.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace vision {

namespace {

enum Outcome : uint8_t { kFound = 0, kFailed = 1 };

uint32_t number(const uint8_t *bytes) {
  return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | static_cast<uint32_t>(bytes[3]) << 24;
}

bool receive_bytes(uint8_t *bytes, size_t count) {
  while (count > 0) {
    const ssize_t got = recv(kSocket, bytes, count, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    bytes += got;
    count -= got;
  }
  return true;
}

}  // namespace

void Message::u16(uint16_t value) {
  u8(value & 0xFF);
  u8(value >> 8);
}

void Message::u32(uint32_t value) {
  u16(value & 0xFFFF);
  u16(value >> 16);
}

void Message::f32(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  u32(bits);
}

void Message::text(const std::string &value) {
  const size_t count = std::min(value.size(), kMostText);
  u32(static_cast<uint32_t>(count));
  bytes_.insert(bytes_.end(), value.begin(), value.begin() + count);
}

bool Message::send() const {
  Message head;
  head.u32(static_cast<uint32_t>(bytes_.size()));
  return send_bytes(head.bytes_.data(), head.bytes_.size()) && send_bytes(bytes_.data(), bytes_.size());
}

bool send_bytes(const void *bytes, size_t count) {
  const char *next = static_cast<const char *>(bytes);
  while (count > 0) {
    const ssize_t sent = ::send(kSocket, next, count, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    next += sent;
    count -= sent;
  }
  return true;
}

bool receive(Request *request) {
  uint8_t bytes[4 + Request::kBytes];
  if (!receive_bytes(bytes, 4) || number(bytes) != Request::kBytes) return false;
  if (!receive_bytes(bytes + 4, Request::kBytes)) return false;
  request->sequence = number(bytes + 4);
  request->task = static_cast<Task>(bytes[8]);
  request->flags = bytes[9];
  request->trial = static_cast<uint16_t>(bytes[10] | bytes[11] << 8);
  request->width = number(bytes + 12);
  request->height = number(bytes + 16);
  request->row_bytes = number(bytes + 20);
  request->milliseconds = number(bytes + 24);
  return true;
}

bool send_found(uint32_t sequence, const std::vector<Thing> &things) {
  Message message;
  message.u32(sequence);
  message.u8(kFound);
  const size_t count = std::min(things.size(), kMostThings);
  message.u16(static_cast<uint16_t>(count));
  for (size_t index = 0; index < count; ++index) {
    const Thing &thing = things[index];
    message.u8(static_cast<uint8_t>(thing.corners.size()));
    for (const Point &corner : thing.corners) {
      message.f32(corner.x);
      message.f32(corner.y);
    }
    message.f32(std::isfinite(thing.confidence) ? std::clamp(thing.confidence, 0.0f, 1.0f) : 0);
    message.u8(thing.has_text);
    if (thing.has_text) message.text(thing.text);
    message.u8(static_cast<uint8_t>(thing.details.size()));
    for (const auto &[name, value] : thing.details) {
      message.text(name);
      message.text(value);
    }
  }
  return message.send();
}

bool send_failed(uint32_t sequence, const std::string &reason) {
  Message message;
  message.u32(sequence);
  message.u8(kFailed);
  message.text(reason.substr(0, 400));
  return message.send();
}

}  // namespace vision
