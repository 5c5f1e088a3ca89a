#ifndef SAFELIGHT_INSTRUCTION_SET_H
#define SAFELIGHT_INSTRUCTION_SET_H
namespace safelight {
// Applies SAFELIGHT_SIMD before the first kernel runs. Cheap after the first call.
void ChooseInstructionSetOnce();
}  // namespace safelight
#endif
