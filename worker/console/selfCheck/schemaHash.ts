/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '214d22141c77bb1219f29ce486250442e2c67dffcf3a2c6bbf66aa66fb169906'
