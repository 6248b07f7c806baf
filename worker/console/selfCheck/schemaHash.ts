/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '287a0faaf4a11104637ef92142e72a8731e936342c1b3f6f676303076bc19c40'
