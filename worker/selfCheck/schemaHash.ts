/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '92d4b4967a69e0bb07e23da364aedcbbd58d36ae645bb908047bf102f64c7b1a'
