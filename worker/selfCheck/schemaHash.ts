/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '8224edf9f40f4e92b7ada9dc44151ae1803a60d1c42ebd3375f7b71760a0772c'
