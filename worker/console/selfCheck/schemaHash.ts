/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '05963380af790c8b9feee449fcd2dc05dcd62d5240d9a4d3ce2353c33facbbf2'
