/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = 'd85917b2302186f67547cfd24291f9310b62ece0568b9e9fda79ce1b552ed78b'
