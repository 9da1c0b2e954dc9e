#include "store/faults/disk.hpp"

#include "base/mutex.hpp"
#include "store/faults/unsynced.hpp"

#include <sqlite3.h>

#include <csignal>
#include <cstring>
#include <new>
#include <set>
#include <unistd.h>

namespace parley::store::faults {
namespace {

sqlite3_vfs* real_vfs() { return sqlite3_vfs_find("unix"); }

// SQLite allocates szOsFile bytes for a file: ours, and the real one behind it.
struct File {
    sqlite3_file base;
    bool tracked;      // The database and its log; not what SQLite uses for sorting.
    bool ever_synced;  // Or older than this process.
    const char* name;
    Unsynced* unsynced;

    sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};
File& of(sqlite3_file* file) { return *reinterpret_cast<File*>(file); }

struct State {
    Mutex mutex;
    Plan plan GUARDED_BY(mutex);
    bool power_is_out GUARDED_BY(mutex) = false;
    bool survives GUARDED_BY(mutex) = false;
    bool full GUARDED_BY(mutex) = false;
    std::set<File*> open GUARDED_BY(mutex);
};
State& state()
{
    static State it;
    return it;
}

void cut_power(State& now) REQUIRES(now.mutex)
{
    std::mt19937_64 random(now.plan.seed);
    for (File* file : now.open) {
        file->unsynced->lose_some(*file->real(), random);
        if (!file->ever_synced && random() % 2 == 0) unlink(file->name);
    }
    now.power_is_out = true;
    if (!now.survives) kill(getpid(), SIGKILL);
}

// Counts an operation and plays the fault that is planned for it. True where it must fail.
bool fails_now(State& now, bool is_sync) REQUIRES(now.mutex)
{
    if (now.power_is_out) return true;
    if (now.plan.fault == Fault::none || --now.plan.at_operation > 0) return false;
    switch (now.plan.fault) {
        case Fault::power_cut:
            cut_power(now);
            return true;
        case Fault::disk_full:
            now.full = true;
            now.plan.fault = Fault::none;
            return false;
        case Fault::lost_sync:
            now.plan.at_operation = 1;  // Waits for a sync, where this is none.
            if (is_sync) now.plan.fault = Fault::none;
            return is_sync;
        case Fault::none:
            break;
    }
    return false;
}

int close_file(sqlite3_file* file)
{
    File& our = of(file);
    const MutexLock lock(state().mutex);
    state().open.erase(&our);
    delete our.unsynced;
    return our.real()->pMethods->xClose(our.real());
}

int read_file(sqlite3_file* file, void* into, int size, sqlite3_int64 at)
{
    sqlite3_file* real = of(file).real();
    return real->pMethods->xRead(real, into, size, at);
}

int write_file(sqlite3_file* file, const void* data, int size, sqlite3_int64 at)
{
    File& our = of(file);
    sqlite3_file* real = our.real();
    if (!our.tracked) return real->pMethods->xWrite(real, data, size, at);
    const MutexLock lock(state().mutex);
    if (fails_now(state(), false)) return SQLITE_IOERR_WRITE;
    sqlite3_int64 end = 0;
    real->pMethods->xFileSize(real, &end);
    if (state().full && at + size > end) return SQLITE_FULL;
    our.unsynced->note_write(*real, data, size, at);
    return real->pMethods->xWrite(real, data, size, at);
}

int truncate_file(sqlite3_file* file, sqlite3_int64 size)
{
    File& our = of(file);
    sqlite3_file* real = our.real();
    if (!our.tracked) return real->pMethods->xTruncate(real, size);
    const MutexLock lock(state().mutex);
    if (fails_now(state(), false)) return SQLITE_IOERR_TRUNCATE;
    our.unsynced->note_truncation(*real, size);
    return real->pMethods->xTruncate(real, size);
}

int sync_file(sqlite3_file* file, int flags)
{
    File& our = of(file);
    const MutexLock lock(state().mutex);
    if (our.tracked && fails_now(state(), true)) return SQLITE_IOERR_FSYNC;
    const int done = our.real()->pMethods->xSync(our.real(), flags);
    if (done == SQLITE_OK) {
        our.unsynced->forget();
        our.ever_synced = true;
    }
    return done;
}

// The rest is none of our business.
template <auto member, class... Arguments>
int pass_on(sqlite3_file* file, Arguments... arguments)
{
    sqlite3_file* real = of(file).real();
    return (real->pMethods->*member)(real, arguments...);
}
void shm_barrier(sqlite3_file* file) { of(file).real()->pMethods->xShmBarrier(of(file).real()); }

using M = sqlite3_io_methods;
const sqlite3_io_methods methods{
    .iVersion = 2,  // Without mapped memory, which would go past us.
    .xClose = close_file,
    .xRead = read_file,
    .xWrite = write_file,
    .xTruncate = truncate_file,
    .xSync = sync_file,
    .xFileSize = pass_on<&M::xFileSize, sqlite3_int64*>,
    .xLock = pass_on<&M::xLock, int>,
    .xUnlock = pass_on<&M::xUnlock, int>,
    .xCheckReservedLock = pass_on<&M::xCheckReservedLock, int*>,
    .xFileControl = pass_on<&M::xFileControl, int, void*>,
    .xSectorSize = pass_on<&M::xSectorSize>,
    .xDeviceCharacteristics = pass_on<&M::xDeviceCharacteristics>,
    .xShmMap = pass_on<&M::xShmMap, int, int, int, void volatile**>,
    .xShmLock = pass_on<&M::xShmLock, int, int, int>,
    .xShmBarrier = shm_barrier,
    .xShmUnmap = pass_on<&M::xShmUnmap, int>,
    .xFetch = nullptr,
    .xUnfetch = nullptr,
};

int open_file(sqlite3_vfs* /*vfs*/, sqlite3_filename name, sqlite3_file* file, int flags,
              int* flags_out)
{
    File& our = of(file);
    our.base.pMethods = nullptr;
    const bool was_there = name && access(name, F_OK) == 0;
    const int opened = real_vfs()->xOpen(real_vfs(), name, our.real(), flags, flags_out);
    if (opened != SQLITE_OK) return opened;
    our.base.pMethods = &methods;
    our.tracked = (flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL)) != 0;
    our.ever_synced = was_there;
    our.name = name;
    our.unsynced = new Unsynced;
    const MutexLock lock(state().mutex);
    if (our.tracked) state().open.insert(&our);
    return SQLITE_OK;
}

}  // namespace

const char* vfs_name()
{
    static sqlite3_vfs vfs = [] {
        sqlite3_vfs ours = *real_vfs();
        ours.szOsFile = static_cast<int>(sizeof(File)) + real_vfs()->szOsFile;
        ours.zName = "parley-faults";
        ours.pNext = nullptr;
        ours.xOpen = open_file;
        return ours;
    }();
    static const int registered = sqlite3_vfs_register(&vfs, 0);
    return registered == SQLITE_OK ? vfs.zName : nullptr;
}

void set(const Plan& plan)
{
    const MutexLock lock(state().mutex);
    state().plan = plan;
    state().full = false;
    state().power_is_out = false;
}

void survive_power_cuts()
{
    const MutexLock lock(state().mutex);
    state().survives = true;
}

}  // namespace parley::store::faults
