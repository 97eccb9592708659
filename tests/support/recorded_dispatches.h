#pragma once

#include "tests/support/null_device.h"

#include <deque>
#include <vector>

namespace perilune::test {

/// Keeps the dispatches that kernels record, parameters and all, and runs nothing.
class DispatchList : public NullDevice {
public:
    /// As if for that device: kernels choose their sizes by its kind.
    explicit DispatchList(DeviceInfo info) : m_info(std::move(info)) {}
    const DeviceInfo &info() const override { return m_info; }
    void dispatch(const Dispatch &dispatch) override
    {
        m_params.emplace_back(dispatch.params.begin(), dispatch.params.end());
        m_dispatches.push_back(dispatch);
        m_dispatches.back().params = m_params.back();
    }
    const std::vector<Dispatch> &dispatches() const { return m_dispatches; }

private:
    DeviceInfo m_info;
    std::deque<std::vector<std::byte>> m_params; // what the dispatches' spans show; a deque moves none
    std::vector<Dispatch> m_dispatches;
};

} // namespace perilune::test
