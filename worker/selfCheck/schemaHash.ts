/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '29d44bda40765a7cf0013102741a9230c7a7eddfc182a4b14ab9dcc7a1f07d88'
