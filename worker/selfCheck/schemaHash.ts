/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = 'daea660f17c9f50a26aaff3d79836327db3c3ab49e7247f3383382cbe82f14e3'
