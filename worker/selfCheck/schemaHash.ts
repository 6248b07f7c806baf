/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = 'd9a5d29cce0d4301d1760368c6eafb4be0117b47d8ddfcc41bce15340e9b2b81'
