// Tools of all rooms: errors, tasks, time, JSON, ids, logs and secrets. They know nothing of chats.
// A caller starts with error.hpp, since functions that can fail return a Result, and with task.hpp,
// since those that wait return a Task.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/id.hpp"
#include "base/json.hpp"
#include "base/log.hpp"
#include "base/ready.hpp"
#include "base/secret.hpp"
#include "base/task.hpp"
