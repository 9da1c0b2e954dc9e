// Conversations with models: the rules about questions, and the runs that answer them. A caller
// asks by Questions, which gives a RunHandle to read, await or cancel the answer; Sessions has the
// rules about stored conversations. Runs is behind both, and is started and stopped with the
// server. Maintenance keeps the stored conversations in order.
#pragma once

#include "chat/maintenance.hpp"
#include "chat/questions.hpp"
#include "chat/run_handle.hpp"
#include "chat/runs.hpp"
#include "chat/sessions.hpp"
