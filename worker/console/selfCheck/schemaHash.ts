/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = 'fbdcc9e6dd27b9b8a91750530262d71f690c683e04d1a6d3919eb5743f69ce2a'
