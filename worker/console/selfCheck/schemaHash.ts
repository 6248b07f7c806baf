/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = 'b93ad6d3fd02c530bea057249cdf8791300d917645954044c9cc703641273b6b'
