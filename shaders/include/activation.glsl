// Activation functions, in f32 and without overflow for any finite input.

// 1 / (1 + e^-z): exp of a positive number is never taken, so nothing overflows.
float sigmoid(float z)
{
    const float e = exp(-abs(z));
    return (z >= 0.0 ? 1.0 : e) / (1.0 + e);
}

float silu(float z)
{
    return z * sigmoid(z);
}
