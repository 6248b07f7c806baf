/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '7e2e7c04c9d7b82ba2f43b55f994bb9553b7e2d58bc1b56c4cca65923ad24489'
