// What every kernel starts with: its workgroup's size, and device memory by address. Include it first.
//
// A 64-bit address is a uvec2, so that no kernel needs 64-bit integers. Views of memory are structs
// of one array `v`; an index is signed and 32-bit, so a kernel that walks a large tensor moves the
// address to the row (at()) and indexes inside it.
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;

layout(buffer_reference, std430, buffer_reference_align = 4) buffer F32 { float v[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer U32 { uint v[]; };
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer U32x2 { uvec2 v[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer F32x4 { vec4 v[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer U32x4 { uvec4 v[]; };

// The address of element `index` of `bytes` bytes each.
uvec2 at(uvec2 address, uint index, uint bytes)
{
    uint high, low, carry;
    umulExtended(index, bytes, high, low);
    low = uaddCarry(address.x, low, carry);
    return uvec2(low, address.y + high + carry);
}

bool isNull(uvec2 address)
{
    return (address.x | address.y) == 0u;
}
