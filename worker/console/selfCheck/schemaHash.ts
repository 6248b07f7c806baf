/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = 'b339cc2280a5eaa5c18a67e7d0d88b35ae5f28d94099e02d3b4c9683777b1fe6'
