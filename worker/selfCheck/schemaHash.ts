/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '611334b37d65ff77b119941731a370aa06a90d7be5aff00bba54c48952f842fa'
