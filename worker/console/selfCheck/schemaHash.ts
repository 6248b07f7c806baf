/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '44aed2ebf247e9b9916d189132d3806b3d1f664ad9f8e8c304c327c0f0e7fd4f'
