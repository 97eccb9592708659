// Where the matrices of an expert lie; the including file has loaded a weight format.
const uint kGate = 0u;
const uint kUp = 2u;
const uint kDown = 4u;

// Row `row` of an expert's matrix (kGate, kUp or kDown).
WeightRow expertRow(uvec2 table, uint expert, uint matrix, uint row, uint columns)
{
    U32x2 addresses = U32x2(at(table, expert, 48u));
    return weightRow(addresses.v[matrix], addresses.v[matrix + 1u], row, columns);
}
