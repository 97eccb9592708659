// Stands in for perilune-media where a test needs one that misbehaves. How it does is in the name of the
// program, after "bad_helper_", since the main program hands it no arguments.
#include "media/protocol.h"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

using namespace perilune::protocol;

static void say(Type type, const std::string &payload)
{
    const Header header{type, static_cast<std::uint32_t>(payload.size())};
    (void)!write(1, &header, sizeof header);
    (void)!write(1, payload.data(), payload.size());
}

int main(int, char **argv)
{
    const std::string program = argv[0];
    const std::string how = program.substr(program.find("bad_helper_") + std::strlen("bad_helper_"));
    char request[256];
    (void)!read(0, request, sizeof request);
    if (how == "crashes")
        std::raise(SIGSEGV);
    if (how == "leaves")
        return 0;
    if (how == "hangs") {
        for (;;)
            pause();
    }
    if (how == "spins") {
        const rlimit second{1, 10};
        setrlimit(RLIMIT_CPU, &second);
        for (std::atomic<unsigned> i = 0;;)
            ++i;
    }
    if (how == "busy") { // works without a sign; its own limit is far
        for (std::atomic<unsigned> i = 0;;)
            ++i;
    }
    if (how == "slow") { // works a little now and then, as on a busy machine, and is done after three seconds
        for (int turn = 0; turn < 15; ++turn) {
            usleep(200'000);
            for (std::atomic<unsigned> i = 0; i < 1'000'000; ++i) {
            }
        }
        say(Type::FramesDone, {});
    }
    if (how == "lengthy") {
        const Header header{Type::PictureStart, 0xfffffff0u};
        (void)!write(1, &header, sizeof header);
    }
    if (how == "gibberish")
        say(Type::PictureStart, "no such thing");
    if (how == "enormous")
        say(Type::PictureStart, pack(PictureStart{1u << 20, 1u << 20, {}}));
    if (how == "unasked")
        say(Type::FramesDone, {});
    if (how == "overfull") {
        say(Type::PictureStart, pack(PictureStart{2, 2, {}}));
        say(Type::Rows, std::string(18, 'x'));
    }
    if (how == "halfrows") {
        say(Type::PictureStart, pack(PictureStart{2, 2, {}}));
        say(Type::Rows, std::string(7, 'x'));
    }
    if (how == "dies") { // in the middle of the picture
        say(Type::PictureStart, pack(PictureStart{2, 2, {}}));
        say(Type::Rows, std::string(6, 'x'));
    }
    if (how == "rewrites") { // tries to move a terminal's cursor
        say(Type::Failure, pack(Failure{perilune::ErrorCode::Corrupt, "\x1b[2J"}));
    }
    if (how == "otherframes") {
        ClipInfo info;
        info.width = info.displayWidth = info.height = info.displayHeight = 28;
        info.fps = 1;
        info.times = {0, 1};
        info.endSeconds = 2;
        say(Type::ClipInfo, pack(info));
        (void)!read(0, request, sizeof request);
        say(Type::FrameStart, pack(FrameStart{7}));
    }
    return 0;
}
