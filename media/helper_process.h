#pragma once

#include "engine/base/result.h"
#include "media/protocol.h"

#include <chrono>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace perilune {

/// Where perilune-media is installed: beside the program, or in libexec. Empty where it isn't.
std::string installedHelper();

/// One running perilune-media with its two pipes. It is ended, at once, with this object.
class HelperProcess {
public:
    /// How long it may work without a sign, in processor time of all its threads together: on a busy machine
    /// it takes longer. One that doesn't even work may take as long by the clock.
    static constexpr std::chrono::seconds kPatience{30};

    /// Starts `program` with the open file `file` and nothing else of ours. `name` is for the sentences.
    static Result<std::unique_ptr<HelperProcess>>
    start(const std::string &program, int file, std::string name, std::chrono::seconds patience = kPatience);
    ~HelperProcess();
    HelperProcess(const HelperProcess &) = delete;
    HelperProcess &operator=(const HelperProcess &) = delete;

    struct Message {
        protocol::Type type{};
        std::string_view payload; ///< good until the next receive()
    };

    Status send(protocol::Type type, std::string_view payload);

    /// The next message, however it comes in pieces. An error where `stop` is requested (Cancelled), where
    /// patience ends, where the helper has ended, or where a message is longer than it may be.
    Result<Message> receive(const std::stop_token &stop);

    /// What to say where the helper sent something that makes no sense.
    Error nonsense() const;

private:
    /// What is known of its work since its last sign.
    struct Watch {
        std::chrono::nanoseconds workedAtSign{}, workedAtLook{};
        std::chrono::steady_clock::time_point lastWorked;
    };

    HelperProcess(pid_t process, int toHelper, int fromHelper, std::string name,
                  std::chrono::seconds patience);
    Status readExactly(char *bytes, std::size_t size, const std::stop_token &stop);
    Watch beginWatch() const;
    Status look(Watch &watch) const;
    std::chrono::nanoseconds worked() const;
    Error ended();

    pid_t m_process;
    int m_toHelper, m_fromHelper, m_wake;
    std::string m_name;
    std::chrono::seconds m_patience;
    std::string m_payload;
};

} // namespace perilune
