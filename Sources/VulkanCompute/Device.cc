#include "VulkanCompute.h"
