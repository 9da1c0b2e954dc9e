// VK_EXT_layer_settings, for Vulkan headers that are older than it, such as those of Debian 12.
// llama.cpp names it for its own debugging, and passes the structure always; drivers ignore it.
#pragma once

#include <cstdint>
#include <vector>
#include <vulkan/vulkan_core.h>

#ifndef VK_EXT_layer_settings
namespace vk {

enum class LayerSettingTypeEXT { eBool32 = 0 };

struct LayerSettingEXT {
    const char* pLayerName;
    const char* pSettingName;
    LayerSettingTypeEXT type;
    std::uint32_t valueCount;
    const void* pValues;
};

struct LayerSettingsCreateInfoEXT {
    explicit LayerSettingsCreateInfoEXT(const std::vector<LayerSettingEXT>& settings)
        : settingCount(static_cast<std::uint32_t>(settings.size())), pSettings(settings.data())
    {
    }

    VkStructureType sType = static_cast<VkStructureType>(1000496000);
    const void* pNext = nullptr;
    std::uint32_t settingCount;
    const LayerSettingEXT* pSettings;
};

}  // namespace vk
#endif
