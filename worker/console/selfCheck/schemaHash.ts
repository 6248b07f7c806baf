/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = 'e5733ac8bbe8f2678b856b7bd4ec0eb2cb3ceca265cfe7af4da0d0a604abf51c'
