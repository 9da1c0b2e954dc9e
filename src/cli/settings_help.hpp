// Prints all settings, or the settings in use, as text or JSON.
#pragma once

#include "app/settings_sources.hpp"

namespace parley::cli {

// A settings file with a bit of everything, for the help; the tests read it.
extern const char* const example_settings;

void print_settings_help(bool json);
void print_settings(const app::LoadedSettings& loaded, bool json);

}  // namespace parley::cli
