#include "media/helper/picture_readers.h"

#include <algorithm>
#include <array>
#include <optional>

namespace perilune::helper {

namespace {

/// Bytes in order; zero beyond the end, which `ended` then tells.
class Cursor {
public:
    explicit Cursor(Bytes bytes) : m_bytes(bytes) {}

    std::uint8_t u8()
    {
        if (m_at >= m_bytes.size()) {
            m_ended = true;
            return 0;
        }
        return m_bytes[m_at++];
    }
    std::uint32_t u16()
    {
        const std::uint32_t low = u8();
        return low | std::uint32_t{u8()} << 8;
    }
    Bytes take(std::size_t size)
    {
        const std::size_t have = std::min(size, m_bytes.size() - m_at);
        m_ended = m_ended || have < size;
        m_at += have;
        return m_bytes.subspan(m_at - have, have);
    }
    /// The data of a chain of sub-blocks.
    std::vector<std::uint8_t> blocks()
    {
        std::vector<std::uint8_t> data;
        for (std::uint8_t size = u8(); size > 0 && !m_ended; size = u8()) {
            const Bytes block = take(size);
            data.insert(data.end(), block.begin(), block.end());
        }
        return data;
    }
    bool ended() const { return m_ended; }

private:
    Bytes m_bytes;
    std::size_t m_at = 0;
    bool m_ended = false;
};

using Palette = std::array<std::array<std::uint8_t, 3>, 256>;

struct Frame {
    std::uint32_t left = 0, top = 0, width = 0, height = 0;
    bool interlaced = false;
    Palette palette{};
    std::optional<std::uint8_t> clear; ///< the index that means transparent
    std::uint8_t codeBits = 0;
    std::vector<std::uint8_t> codes;
};

struct Screen {
    std::uint32_t width = 0, height = 0;
    Palette palette{};
};

Palette readPalette(Cursor &cursor, unsigned flags)
{
    Palette palette{};
    for (std::size_t i = 0; i < std::size_t{2} << (flags & 7); ++i) {
        for (std::uint8_t &channel : palette[i])
            channel = cursor.u8();
    }
    return palette;
}

Screen readScreen(Cursor &cursor)
{
    Screen screen;
    cursor.take(6);
    screen.width = cursor.u16();
    screen.height = cursor.u16();
    const unsigned flags = cursor.u8();
    cursor.take(2);
    if (flags & 0x80)
        screen.palette = readPalette(cursor, flags);
    return screen;
}

/// The next frame, still packed; none at the end.
std::optional<Frame> readFrame(Cursor &cursor, const Screen &screen)
{
    Frame frame;
    while (!cursor.ended()) {
        const std::uint8_t kind = cursor.u8();
        if (kind == 0x21) { // an extension
            const std::uint8_t label = cursor.u8();
            const auto data = cursor.blocks();
            if (label == 0xf9 && data.size() >= 4)
                frame.clear = data[0] & 1 ? std::optional(data[3]) : std::nullopt;
        } else if (kind == 0x2c) {
            frame.left = cursor.u16();
            frame.top = cursor.u16();
            frame.width = cursor.u16();
            frame.height = cursor.u16();
            const unsigned flags = cursor.u8();
            frame.interlaced = (flags & 0x40) != 0;
            frame.palette = flags & 0x80 ? readPalette(cursor, flags) : screen.palette;
            frame.codeBits = cursor.u8();
            frame.codes = cursor.blocks();
            return frame;
        } else if (kind == 0x3b) {
            return std::nullopt;
        }
    }
    return std::nullopt;
}

/// GIF's LZW: codes of growing width, low bits first. False where a code makes no sense; what was decoded
/// stays.
class Lzw {
public:
    Lzw(Bytes bytes, unsigned bits) : m_bytes(bytes), m_bits(bits), m_clear(1u << bits) {}

    bool decode(std::vector<std::uint8_t> &out, std::size_t wanted)
    {
        reset();
        while (out.size() < wanted) {
            const std::optional<unsigned> code = next();
            if (!code || *code == m_clear + 1)
                return false;
            if (*code == m_clear) {
                reset();
                continue;
            }
            if (!append(*code, out))
                return false;
        }
        out.resize(wanted); // the last string may reach beyond
        return true;
    }

private:
    static constexpr unsigned kCodes = 4096;

    void reset()
    {
        m_width = m_bits + 1;
        m_next = m_clear + 2;
        m_before.reset();
    }

    std::optional<unsigned> next()
    {
        while (m_have < m_width) {
            if (m_at == m_bytes.size())
                return std::nullopt;
            m_window |= std::uint32_t{m_bytes[m_at++]} << m_have;
            m_have += 8;
        }
        const unsigned code = m_window & ((1u << m_width) - 1);
        m_window >>= m_width;
        m_have -= m_width;
        return code;
    }

    bool append(unsigned code, std::vector<std::uint8_t> &out)
    {
        if (code > m_next || (code >= m_clear && code < m_clear + 2))
            return false;
        unsigned walk = code;
        if (code == m_next) {
            if (!m_before)
                return false;
            walk = *m_before;
        }
        m_string.clear();
        for (; walk >= m_clear + 2; walk = m_prefix[walk])
            m_string.push_back(m_last[walk]);
        const auto first = static_cast<std::uint8_t>(walk);
        m_string.push_back(first);
        out.insert(out.end(), m_string.rbegin(), m_string.rend());
        if (code == m_next)
            out.push_back(first);
        if (m_before && m_next < kCodes) {
            m_prefix[m_next] = static_cast<std::uint16_t>(*m_before);
            m_last[m_next] = first;
            ++m_next;
            if (m_next == 1u << m_width && m_width < 12)
                ++m_width;
        }
        m_before = code;
        return true;
    }

    Bytes m_bytes;
    unsigned m_bits, m_clear;
    std::size_t m_at = 0;
    std::uint32_t m_window = 0;
    unsigned m_have = 0, m_width = 0, m_next = 0;
    std::optional<unsigned> m_before;
    std::array<std::uint16_t, kCodes> m_prefix{};
    std::array<std::uint8_t, kCodes> m_last{};
    std::vector<std::uint8_t> m_string;
};

/// The row of the picture that the n-th row of the data is.
std::uint32_t rowPlace(const Frame &frame, std::uint32_t n)
{
    if (!frame.interlaced)
        return n;
    static constexpr std::array<std::pair<std::uint32_t, std::uint32_t>, 4> kPasses{
        {{0, 8}, {4, 8}, {2, 4}, {1, 2}}
    };
    for (const auto &[start, step] : kPasses) {
        const std::uint32_t rows = frame.height > start ? (frame.height - start + step - 1) / step : 0;
        if (n < rows)
            return start + n * step;
        n -= rows;
    }
    return 0;
}

} // namespace

Status readGif(Bytes bytes, PictureOutput &output)
{
    Cursor cursor(bytes);
    const Screen screen = readScreen(cursor);
    const std::optional<Frame> frame = readFrame(cursor, screen);
    if (!frame)
        return cursor.ended() ? cutOff() : damaged();
    PictureForm form{.width = std::max(screen.width, frame->left + frame->width),
                     .height = std::max(screen.height, frame->top + frame->height),
                     .layout = frame->clear ? Layout::Rgba8 : Layout::Rgb8};
    if (auto fits = checkSize(form.width, form.height, output.maxPixels()); !fits)
        return fits;
    if (auto fits = checkSize(frame->width, frame->height, output.maxPixels()); !fits)
        return fits;
    if (frame->codeBits < 1 || frame->codeBits > 8)
        return damaged();
    std::vector<std::uint8_t> indices;
    if (!Lzw(frame->codes, frame->codeBits).decode(indices, std::size_t{frame->width} * frame->height))
        return cursor.ended() ? cutOff() : damaged();

    std::vector<std::uint8_t> canvas(std::size_t{form.width} * form.height, frame->clear.value_or(0));
    for (std::uint32_t n = 0; n < frame->height; ++n) {
        const std::size_t to = std::size_t{frame->top + rowPlace(*frame, n)} * form.width + frame->left;
        std::copy_n(&indices[std::size_t{n} * frame->width], frame->width, &canvas[to]);
    }
    const std::size_t width = form.width, height = form.height, size = bytesPerPixel(form.layout);
    if (auto started = output.start(std::move(form)); !started)
        return started;
    std::vector<std::uint8_t> row(width * size);
    for (std::size_t y = 0; y < height; ++y) {
        for (std::size_t x = 0; x < width; ++x) {
            const std::uint8_t index = canvas[y * width + x];
            std::copy_n(frame->palette[index].begin(), 3, &row[x * size]);
            if (size == 4)
                row[x * size + 3] = frame->clear == index ? 0 : 255;
        }
        output.add(row.data(), 1);
    }
    output.finish();
    return Done{};
}

std::uint32_t countGifFrames(Bytes bytes)
{
    Cursor cursor(bytes);
    const Screen screen = readScreen(cursor);
    std::uint32_t frames = 0;
    while (readFrame(cursor, screen))
        ++frames;
    return std::max(frames, 1u);
}

} // namespace perilune::helper
