/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '33fd68534dc111ff21b9542f87b9cae96f362db407c98d4b90e13a3ad5475ac9'
