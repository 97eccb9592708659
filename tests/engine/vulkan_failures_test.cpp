// Calls of Vulkan that fail: the work ends with an error, and nothing that it left behind spoils the next.
#include "engine/gpu/device.h"
#include "tests/support/qtest_strings.h"

#include <dlfcn.h>
#include <QTest>
#include <vulkan/vulkan.h>

using namespace perilune;

namespace {

// What the next call answers in place of the driver, once; VK_SUCCESS: nothing.
VkResult g_wait = VK_SUCCESS, g_submit = VK_SUCCESS, g_idle = VK_SUCCESS;

template <typename Function>
Function driver(const char *name)
{
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

} // namespace

// Before those of the loader, since a program's own symbols come first.
extern "C" VKAPI_ATTR VkResult VKAPI_CALL vkWaitForFences(VkDevice device, std::uint32_t count,
                                                          const VkFence *fences, VkBool32 all,
                                                          std::uint64_t timeout)
{
    if (const VkResult fault = std::exchange(g_wait, VK_SUCCESS); fault != VK_SUCCESS)
        return fault;
    return driver<PFN_vkWaitForFences>("vkWaitForFences")(device, count, fences, all, timeout);
}

extern "C" VKAPI_ATTR VkResult VKAPI_CALL vkQueueSubmit(VkQueue queue, std::uint32_t count,
                                                        const VkSubmitInfo *infos, VkFence fence)
{
    if (const VkResult fault = std::exchange(g_submit, VK_SUCCESS); fault != VK_SUCCESS)
        return fault;
    return driver<PFN_vkQueueSubmit>("vkQueueSubmit")(queue, count, infos, fence);
}

extern "C" VKAPI_ATTR VkResult VKAPI_CALL vkQueueWaitIdle(VkQueue queue)
{
    // It waits in any case: the memory of the work is freed next.
    const VkResult result = driver<PFN_vkQueueWaitIdle>("vkQueueWaitIdle")(queue);
    const VkResult fault = std::exchange(g_idle, VK_SUCCESS);
    return fault == VK_SUCCESS ? result : fault;
}

class VulkanFailuresTest : public QObject {
    Q_OBJECT

private slots:
    void aFailureLeavesNoTrace_data();
    void aFailureLeavesNoTrace();
    void aDeviceThatNeverGetsIdleIsLost();

private:
    /// Copies `value` through the device and returns what comes out.
    static Result<std::uint32_t> through(Device &device, std::uint32_t value)
    {
        auto buffer = device.allocate(512, MemoryKind::Device, "a test");
        if (!buffer)
            return std::move(buffer).error();
        const ByteRange from{(*buffer)->address(), sizeof value};
        const ByteRange to{(*buffer)->address() + 256, sizeof value};
        std::uint32_t result = 0;
        if (Status sent = device.upload(from.address, std::as_bytes(std::span(&value, 1))); !sent)
            return std::move(sent).error();
        device.begin();
        device.copy(from, to.address);
        if (Status done = device.finish(); !done)
            return std::move(done).error();
        if (Status read = device.download(to, std::as_writable_bytes(std::span(&result, 1))); !read)
            return std::move(read).error();
        return result;
    }
};

void VulkanFailuresTest::aFailureLeavesNoTrace_data()
{
    QTest::addColumn<bool>("waits");
    QTest::newRow("out of memory while waiting") << true;
    QTest::newRow("out of memory while submitting") << false;
}

void VulkanFailuresTest::aFailureLeavesNoTrace()
{
    QFETCH(bool, waits);
    auto device =
        openDevice({.choice = {}, .cacheFolder = {}, .validation = true, .gpuAssistedValidation = false});
    QVERIFY2(device.has_value(), device ? "" : device.error().message.c_str());
    QCOMPARE(*through(**device, 5), 5u);

    for (std::uint32_t i = 0; i < 5; ++i) { // more than there are fences
        (waits ? g_wait : g_submit) = VK_ERROR_OUT_OF_HOST_MEMORY;
        const auto failed = through(**device, i);
        QVERIFY(!failed);
        QCOMPARE(failed.error().code, ErrorCode::OutOfMemory);
        const auto next = through(**device, 100 + i);
        QVERIFY2(next.has_value(), next ? "" : next.error().message.c_str());
        QCOMPARE(*next, 100 + i);
    }
    device->reset();
    QCOMPARE(validationMessages(), std::vector<std::string>());
}

void VulkanFailuresTest::aDeviceThatNeverGetsIdleIsLost()
{
    auto device = openDevice({});
    QVERIFY2(device.has_value(), device ? "" : device.error().message.c_str());
    g_wait = VK_ERROR_OUT_OF_HOST_MEMORY;
    g_idle = VK_ERROR_OUT_OF_HOST_MEMORY;

    QCOMPARE(through(**device, 1).error().code, ErrorCode::DeviceLost);
    QCOMPARE(through(**device, 2).error().code, ErrorCode::DeviceLost);
}

QTEST_GUILESS_MAIN(VulkanFailuresTest)
#include "vulkan_failures_test.moc"
