#include "media/helper/channel.h"
#include "media/helper/decode.h"
#include "media/helper/limits.h"

#include <cstdio>
#include <unistd.h>

int main(int argc, char **)
{
    using namespace perilune;
    if (argc > 1) {
        std::puts("perilune-media decodes one file for Perilune, over pipes; it is not meant to be called by "
                  "people.");
        return 2;
    }
    helper::applyLimits();
    helper::Channel channel(STDIN_FILENO, STDOUT_FILENO);
    const auto payload = channel.receive(protocol::Type::Request);
    if (!payload)
        return 1;
    if (const auto request = protocol::unpackRequest(*payload)) {
        const helper::SourceFile file(protocol::kFileDescriptor);
        helper::serve(file, *request, channel);
        _exit(0); // everything has been sent; tidying up would only take time
    }
    channel.send(protocol::Type::Failure,
                 pack(protocol::Failure{ErrorCode::Io, "meets a decoder of another version"}));
    return 1;
}
