// Rotary positions on adjacent pairs: (a, b) → (a cos − b sin, b cos + a sin).
vec2 rotatePair(vec2 pair, vec2 cosSin)
{
    return vec2(pair.x * cosSin.x - pair.y * cosSin.y, pair.y * cosSin.x + pair.x * cosSin.y);
}
