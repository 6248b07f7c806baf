/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '3e34c8a91cf93dcf97ce7b29a0dbd7c930df85a2e2110524e519b5d8ac280628'
