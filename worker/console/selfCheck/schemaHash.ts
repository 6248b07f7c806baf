/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = 'd4c0edeba7af7c77fcc8c56313c2826e4a5818f3f60cf7b99d7f31b52964f7d6'
